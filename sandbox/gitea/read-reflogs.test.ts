import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

import { readReflogs } from "./read-reflogs.ts";

const [zero, one, two] = ["0", "1", "2"].map((digit) => digit.repeat(40));

test("each line of a reflog is a push within that second, in the order of time over all branches", () => {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-reflogs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const heads = join(folder, "logs", "refs", "heads");
  mkdirSync(join(heads, "meshroll"), { recursive: true });
  const lines = [`${zero} ${one} ana <ana@example.org> 10 +0000\tpush`, `${one} ${two} ben <b@x> 30 +0200\tpush`];
  writeFileSync(join(heads, "main"), `${lines.join("\n")}\n`);
  writeFileSync(join(heads, "meshroll", "ledger"), `${one} ${zero} meshroll <m@x> 20 +0000\tpush\n`);
  expect(readReflogs(folder, (ms) => ms * 60)).toEqual([
    { branch: "main", after: one, from: 600_000, until: 660_000, by: "ana" },
    { branch: "meshroll/ledger", before: one, from: 1_200_000, until: 1_260_000, by: "meshroll" },
    { branch: "main", before: one, after: two, from: 1_800_000, until: 1_860_000, by: "ben" },
  ]);
});
