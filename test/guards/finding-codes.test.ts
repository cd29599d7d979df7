import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

import { readFindingPage } from "../../cli/files/finding-page.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

function listCodes(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .flatMap((name) => readFileSync(join(root, folder, name), "utf8").match(/"MR\d{4}"/gu) ?? [])
    .map((code) => code.slice(1, -1));
}

const codes = [...new Set(["libs", "cli", "services"].flatMap(listCodes))].toSorted();
const fixtures = ["rollouts", "campaigns", "changes"].flatMap((each) =>
  readdirSync(join(root, "test", "fixtures", each)),
);

/** Their finding is a missing file, so they have no fixture. */
const withoutFile = ["MR1000", "MR3000"];
/** `meshroll doctor` reports these about an installation, not about a file. */
const ofDoctor = /^MR9/;

it("there are codes in the source", () => expect(codes.length).toBeGreaterThan(50));

it.each(codes)("%s has a section in the reference, which `meshroll explain` shows", (code) => {
  expect(readFindingPage(code)).toMatch(/\n\n[^]+\n/u);
});

it.each(codes.filter((code) => !withoutFile.includes(code) && !ofDoctor.test(code)))("%s has a fixture", (code) => {
  expect(fixtures.filter((name) => name.startsWith(code.toLowerCase()))).not.toEqual([]);
});
