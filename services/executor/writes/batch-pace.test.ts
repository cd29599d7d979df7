import { makeCluster, makeWorkload } from "#test/world/build";
import { describe, expect, it } from "vitest";

import { createPaceMemory } from "./batch-pace.ts";

const nothingYet = { namespaces: new Map() };

describe("3.3 when a workload was last seen to roll", () => {
  const cases = [
    { name: "one that rolls: now", reconciles: [["a"], ["a"]], want: 1000 },
    // It came to rest somewhere between the two reconciles: the delay must not begin before it did.
    { name: "one that came to rest since the last reconcile: now", reconciles: [["a"], []], want: 1000 },
    { name: "one that rests since earlier: when it was first seen at rest", reconciles: [["a"], [], []], want: 1000 },
    { name: "one that rolls again: now", reconciles: [["a"], [], ["a"], []], want: 3000 },
    { name: "another one, not at all", reconciles: [["b"], []], want: undefined },
  ];
  it.each(cases)("$name", ({ reconciles, want }) => {
    const memory = createPaceMemory();
    const seen = reconciles.map((rolling, at) =>
      memory.reconcile({ rolling, stalled: new Map() }, nothingYet, at * 1000),
    );
    expect(seen.at(-1)?.rolledAt.get("a")).toBe(want);
  });
});

it("3.3 what we wrote, and rests again before the next reconcile: when that came", () => {
  const memory = createPaceMemory();
  memory.reconcile({ rolling: ["a"], stalled: new Map([["a", 9000]]) }, nothingYet, 0);
  memory.note("a");
  expect(memory.reconcile({ rolling: [], stalled: new Map() }, nothingYet, 1000).rolledAt.get("a")).toBe(1000);
  expect(memory.reconcile({ rolling: [], stalled: new Map() }, nothingYet, 2000).rolledAt.get("a")).toBe(1000);
});

describe("4.7 what gave its place up came to rest then, for the delay", () => {
  const stalled = (ms: number) => new Map([["a", ms]]);
  const cases = [
    { name: "while it rolls on", reconciles: [["a"], ["a"]], given: [new Map(), stalled(400)], want: 600 },
    {
      name: "also when it arrives at last",
      reconciles: [["a"], ["a"], []],
      given: [stalled(0), stalled(1000), new Map()],
      want: 0,
    },
    { name: "until it makes progress again", reconciles: [["a"], ["a"]], given: [stalled(0), new Map()], want: 1000 },
    { name: "also for a process that has just begun", reconciles: [["a"]], given: [stalled(30_000)], want: -30_000 },
  ];
  it.each(cases)("$name", ({ reconciles, given, want }) => {
    const memory = createPaceMemory();
    const seen = reconciles.map((rolling, at) =>
      memory.reconcile({ rolling, stalled: given[at] ?? new Map() }, nothingYet, at * 1000),
    );
    expect(seen.at(-1)?.rolledAt.get("a")).toBe(want);
  });
});

describe("4.2 what rolled before this process was there", () => {
  const at = 1_000_000;
  const makeMarked = (times: object) =>
    makeCluster("one", [{ ...makeWorkload("shop/a"), annotations: { "meshroll.dev/run": "abcdefabcdef new" }, times }]);
  const cases = [
    {
      name: "came to rest when its API server says",
      times: { written: at - 60_000, rolledOut: at - 31_000, status: at },
      want: -30_000,
    },
    { name: "just now, where it says nothing", times: {}, want: 0 },
    { name: "just now, where it does not say what time it is", times: { status: at - 60_000 }, isTold: false, want: 0 },
  ];
  it.each(cases)("$name", ({ times, want, isTold = true }) => {
    const cluster = { ...makeMarked(times), ...(isTold ? { serverNow: at } : {}) };
    const pace = createPaceMemory().reconcile({ rolling: [], stalled: new Map() }, cluster, 0);
    expect(pace.rolledAt.get("shop/Deployment/a")).toBe(want);
  });
});
