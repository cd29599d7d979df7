import { describe, expect, test } from "vitest";

import type { WorkloadTimes } from "../facts.ts";
import { makeWorkload } from "../fake.ts";
import { findAge, findProgressAt, findRestAt } from "./moments.ts";

interface Case {
  readonly name: string;
  readonly times?: WorkloadTimes;
  readonly wantProgress: number | undefined;
  readonly wantRest: number | undefined;
}

describe("times from the objects", () => {
  const cases: readonly Case[] = [
    { name: "nothing is known", wantProgress: undefined, wantRest: undefined },
    { name: "only our write", times: { written: 5 }, wantProgress: 5, wantRest: 5 },
    { name: "the status changed after our write", times: { written: 5, status: 9 }, wantProgress: 9, wantRest: 9 },
    { name: "the status is older than our write", times: { written: 9, status: 5 }, wantProgress: 9, wantRest: 9 },
    {
      name: "a pod was lost long after the rollout was complete",
      times: { written: 5, rolledOut: 9, status: 900 },
      wantProgress: 900,
      wantRest: 9,
    },
    {
      name: "the condition is of the rollout before our write",
      times: { written: 50, rolledOut: 9, status: 60 },
      wantProgress: 60,
      wantRest: 50,
    },
    {
      name: "the controller's clock is ahead of the API server's",
      times: { written: 5, rolledOut: 999, status: 60 },
      wantProgress: 60,
      wantRest: 60,
    },
    { name: "only the controller's condition", times: { rolledOut: 9 }, wantProgress: undefined, wantRest: undefined },
  ];
  test.each(cases)("$name", ({ times, wantProgress, wantRest }) => {
    const workload = makeWorkload(times === undefined ? {} : { times });
    expect([findProgressAt(workload), findRestAt(workload)]).toEqual([wantProgress, wantRest]);
  });
});

describe("an age by one clock is never longer than the real one", () => {
  const cases = [
    { name: "whole seconds are rounded up", at: 10_000, now: 20_999, want: 9_999 },
    { name: "within one second it was just now", at: 10_000, now: 10_900, want: 0 },
    { name: "a time in the future counts as just now", at: 99_000, now: 10_000, want: 0 },
  ];
  test.each(cases)("$name", ({ at, now, want }) => {
    expect(findAge(at, now)).toBe(want);
  });
});
