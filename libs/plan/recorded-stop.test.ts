import { printRecordedStop, readRecordedStop, type RecordedStop } from "#libs/plan";
import { describe, expect, test } from "vitest";

const stop: RecordedStop = {
  id: "pause-1",
  scope: "run/abcdefabcdef",
  strength: "move",
  at: "2026-11-19T12:00:00.000Z",
  who: "ana",
  why: 'she said "stop"\nnow',
};

describe("7.3 an entry of meshroll-recorded-stops is read back as it was written", () => {
  const cases: readonly RecordedStop[] = [
    stop,
    { ...stop, scope: "all", until: "2026-11-19T16:00:00.000Z" },
    { ...stop, revertTo: "a".repeat(40), now: true },
    { ...stop, scope: "bucket/.*-staging", returnOf: "abcdefabcdef" },
    { ...stop, strength: "propose" },
  ];
  test.each(cases)("$scope $strength", (each) => expect(readRecordedStop(printRecordedStop(each))).toEqual(each));
});

test.each([
  "",
  "{",
  "null",
  "[]",
  "{}",
  '{"version":2}',
  JSON.stringify({ version: 1, ...stop, scope: "everything" }),
  JSON.stringify({ version: 1, ...stop, who: 7 }),
])("7.3 %j is not ours: whoever reads it takes it for a stop of the whole cluster", (text) =>
  expect(readRecordedStop(text)).toBe(undefined),
);
