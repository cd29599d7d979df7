import { testInstallation } from "#libs/input";
import { writeText } from "#libs/wording";
import { expect, test } from "vitest";

import { printPastRuns } from "./archive-files.ts";
import { joinPieces, readFile } from "./codec.ts";
import { writeRecord } from "../records/records.ts";
import { index, makeRun, oldest, runs } from "../conformance/records.ts";

const main = "1".repeat(40);
const facts = {
  baseline: { commit: main, at: oldest.startedAt, by: "ana", installation: testInstallation },
  main,
  judged: main,
  sequence: 1,
};

test("a run in two files of the branch is refused with the second file's name", () => {
  const live = readFile(`runs/${oldest.id}.json`, JSON.stringify(writeRecord(oldest)));
  const past = "past/runs/2026-01/11.jsonl";
  const line = readFile(past, printPastRuns([oldest]));

  expect(() =>
    joinPieces("", [
      ["heads", { facts }],
      [`runs/${oldest.id}.json`, live],
      [past, line],
    ]),
  ).toThrow(/past\/runs\/2026-01\/11\.jsonl in branch meshroll\/ledger is not what meshroll writes/);
});

test("a line of the archive stays the same when it is read and written again", () => {
  const text = printPastRuns(runs);

  const read = Object.values(readFile("past/runs/2026-01/11.jsonl", text).runs ?? {});

  expect(read.map(({ id, archived, clusters }) => [id, archived, clusters])).toEqual(
    runs.map(({ id }) => [id, "facts", {}]),
  );
  expect(printPastRuns(read)).toBe(text);
  expect(printPastRuns(Object.values(index([makeRun(1)])))).toBe(printPastRuns([oldest]));
});

test.each([
  { name: "none of the skipped failed", failed: false, want: { migrated: 5, skipped: 1, failed: 0 } },
  { name: "a skipped one failed", failed: true, want: { migrated: 5, skipped: 1, failed: 1 } },
])("the archive says how many failed where $name", ({ failed, want }) => {
  const workload = { cluster: "one", workload: "shop/Deployment/a", code: "Gateway", message: writeText("it waits") };
  const skipped = [{ ...workload, ...(failed ? { failed: true as const } : {}) }];
  const ended = { ...oldest, state: "done" as const, outcome: { migrated: 5, skipped, seen: ["one"] } };
  expect(JSON.parse(printPastRuns([ended]))).toMatchObject({ counts: want });
});
