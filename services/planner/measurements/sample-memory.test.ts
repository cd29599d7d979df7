import type { Measurement } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { createSampleMemory } from "./sample-memory.ts";

const errors: Measurement = {
  key: "r1/errors",
  query: "errors",
  interval: 60_000,
  failureLimit: 2,
  since: Number.NEGATIVE_INFINITY,
  fill: () => ({}),
};

describe("samples of gates", () => {
  it("are queried at once, then each interval, and never twice at a time", () => {
    const memory = createSampleMemory();
    expect(memory.begin(errors, 0)).toEqual([0]);
    expect(memory.begin(errors, 600_000)).toEqual([]);
    memory.add(errors, { at: 0, query: "errors", value: 1 });
    expect([memory.begin(errors, 59_999), memory.begin(errors, 60_000)]).toEqual([[], [60_000]]);
    expect(memory.samples().get("r1/errors")).toEqual([{ at: 0, query: "errors", value: 1 }]);
  });

  it.each([
    { name: "its query was changed", change: { query: "others" } },
    { name: "a person resumed its stop", change: { since: 5 } },
  ])("start again when $name, and an answer in flight is dropped", ({ change }) => {
    const memory = createSampleMemory();
    memory.begin(errors, 0);
    memory.add(errors, { at: 0, query: "errors", value: 1 });
    memory.begin(errors, 60_000);
    const changed = { ...errors, ...change };
    expect(memory.begin(changed, 60_001)).toEqual([60_001]);
    memory.add(errors, { at: 60_000, query: "errors", value: 1 });
    expect(memory.samples().get("r1/errors")).toEqual([]);
  });

  const minutes = (...at: readonly number[]): readonly number[] => at.map((each) => each * 60_000);
  it.each([
    { name: "nothing is known: now", known: {}, want: minutes(10) },
    { name: "a bad one was recorded a moment ago: not yet", known: { lastBadAt: 570_000 }, want: [] },
    { name: "a bad one is an interval old: now", known: { lastBadAt: 540_000 }, want: minutes(10) },
    { name: "a bad one is old, and nothing bakes: now", known: { lastBadAt: 0 }, want: minutes(10) },
    { name: "it baked until a moment ago: now", known: { bakedTo: 570_000 }, want: minutes(10) },
    {
      name: "it baked until three minutes ago: each minute since",
      known: { bakedTo: 420_000 },
      want: minutes(8, 9, 10),
    },
    {
      name: "a bad one since the bake was saved: each minute since that",
      known: { bakedTo: 60_000, lastBadAt: 480_000 },
      want: minutes(9, 10),
    },
    { name: "the clock was set back: now", known: { bakedTo: 900_000, lastBadAt: 900_000 }, want: minutes(10) },
  ])("are first queried, when $name", ({ known, want }) => {
    expect(createSampleMemory().begin({ ...errors, ...known }, 600_000)).toEqual(want);
  });

  it("are queried for at most 120 missed moments, the newest ones", () => {
    const moments = createSampleMemory().begin({ ...errors, bakedTo: 0 }, 86_400_000);
    expect([moments.length, moments[0], moments.at(-1)]).toEqual([120, 86_400_000 - 119 * 60_000, 86_400_000]);
  });

  it("are kept up to a limit, but always enough of them to fail", () => {
    const memory = createSampleMemory();
    const strict = { ...errors, failureLimit: 300 };
    memory.begin(strict, 0);
    for (let at = 0; at < 1000; at += 1) memory.add(strict, { at, query: "errors", value: 1 });
    expect(memory.samples().get("r1/errors")).toHaveLength(400);
    expect(memory.samples().get("r1/errors")?.at(-1)?.at).toBe(999);
  });

  it("of runs that are over are forgotten", () => {
    const memory = createSampleMemory();
    memory.begin(errors, 0);
    memory.retain(new Set(["r2"]));
    memory.add(errors, { at: 0, query: "errors", value: 1 });
    expect([...memory.samples().keys()]).toEqual([]);
  });

  it("of a ratio that is noted at each reconcile are kept since it turned bad, with the newest", () => {
    const memory = createSampleMemory();
    const values = [1, 1, 1, 0.5, 0.6, 0.7, 0.8, 1, 0.2];
    for (const [at, value] of values.entries()) memory.note("r1/sync", { at, query: "", value }, 0.9);
    expect(memory.samples().get("r1/sync")).toEqual(
      [
        [0, 1],
        [2, 1],
        [3, 0.5],
        [6, 0.8],
        [7, 1],
        [8, 0.2],
      ].map(([at, value]) => ({ at, query: "", value })),
    );
  });

  it("start again with another limit: a dropped sample may have been good by it", () => {
    const memory = createSampleMemory();
    for (const at of [0, 1, 2]) memory.note("r1/sync", { at, query: "", value: 0.95 }, 0.9);
    memory.note("r1/sync", { at: 3, query: "", value: 0.95 }, 0.99);
    expect(memory.samples().get("r1/sync")).toEqual([{ at: 3, query: "", value: 0.95 }]);
  });

  it("are in the same map while nothing changed", () => {
    const memory = createSampleMemory();
    memory.begin(errors, 0);
    const before = memory.samples();
    expect(memory.samples()).toBe(before);
    memory.add(errors, { at: 0, query: "errors", value: 1 });
    expect(before.get("r1/errors")).toEqual([]);
    expect(memory.samples()).not.toBe(before);
  });
});
