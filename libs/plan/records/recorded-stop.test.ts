import { describe, expect, test } from "vitest";

import { printRecordedStop, readRecordedStop, type RecordedStop } from "./recorded-stop.ts";

const stop: RecordedStop = {
  id: "pause-1",
  scope: "run/abcdefabcdef",
  strength: "move",
  at: "2026-11-19T12:00:00.000Z",
  who: "ana",
  why: 'she said "stop" now',
};

describe("7.3 an entry of meshroll-recorded-stops is read back as it was written", () => {
  const cases: readonly RecordedStop[] = [
    stop,
    { ...stop, scope: "all", until: "2026-11-19T16:00:00.000Z" },
    { ...stop, strength: "propose" },
  ];
  test.each(cases)("$scope $strength", (each) =>
    expect(readRecordedStop(printRecordedStop(each))).toEqual({ stop: each, leftOut: [] }),
  );
});

test.each([
  "",
  "null",
  "{}",
  JSON.stringify({ version: 1, ...stop, scope: "everything" }),
  "7",
  JSON.stringify(stop),
  JSON.stringify({ version: 2, ...stop }),
  ...(["id", "scope", "at", "who", "why"] as const).flatMap((name) => [
    JSON.stringify({ version: 1, ...stop, [name]: 7 }),
    JSON.stringify({ version: 1, ...stop, [name]: undefined }),
  ]),
])("7.3 %j is not ours: its reader takes it for a stop of the whole cluster", (text) =>
  expect(readRecordedStop(text)).toBe(undefined),
);

test("7.3 other fields of an entry are ignored, and those of a rollback are reported", () => {
  const readAll = (more: object) => readRecordedStop(JSON.stringify({ version: 1, ...stop, ...more }));
  const read = (more: object) => readAll(more)?.stop;
  expect(readAll({ revertTo: "a".repeat(40), now: true, rollbackOf: "abcdefabcdef", more: "x" })).toEqual({
    stop,
    leftOut: ["revertTo", "now", "rollbackOf"],
  });
  expect(read({ until: 7, revertTo: null, rollbackOf: {}, now: "yes", strength: "other", more: "x" })).toEqual(stop);
  const until = "2026-11-20T00:00:00Z";
  expect(read({ now: false, until })).toEqual({ ...stop, until });
});

test("7.3 an invalid field is ignored, and texts are cleaned and cut", () => {
  const read = (more: object) => readRecordedStop(JSON.stringify({ version: 1, ...stop, ...more }))?.stop;
  expect(read({ until: "2026-11-20", revertTo: "main~1", rollbackOf: "constructor" })).toEqual(stop);
  expect(read({ who: "a\u001b[2J\nb", why: "x".repeat(9000) })).toMatchObject({
    who: "a [2J b",
    why: expect.stringMatching(/^x{499}…$/u) as string,
  });
  expect([read({ id: "../heads" }), read({ at: "soon" }), read({ why: "x".repeat(20_000) })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
