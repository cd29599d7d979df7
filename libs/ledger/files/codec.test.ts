import { testInstallation } from "#libs/input";
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
