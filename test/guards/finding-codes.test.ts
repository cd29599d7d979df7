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

/** A file that is not there cannot be kept here. */
const withoutFile = ["MR1000", "MR3000"];
/** Of a running installation, not of a file: `meshroll doctor`. */
const ofDoctor = /^MR9/;

it("finds the codes", () => expect(codes.length).toBeGreaterThan(50));

it.each(codes)("%s has its page, which `meshroll explain` shows", (code) => {
  expect(readFindingPage(code)).toMatch(/\n\n[^]+\n/u);
});

it.each(codes.filter((code) => !withoutFile.includes(code) && !ofDoctor.test(code)))("%s has a fixture", (code) => {
  expect(fixtures.filter((name) => name.startsWith(code.toLowerCase()))).not.toEqual([]);
});
