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
    const seen = reconciles.map((rolling, at) => memory.update({ rolling, stalled: new Map() }, nothingYet, at * 1000));
    expect(seen.at(-1)?.rolledAt.get("a")).toBe(want);
  });
});

it("3.3 what we wrote, and rests again before the next reconcile: when that came", () => {
  const memory = createPaceMemory();
  memory.update({ rolling: ["a"], stalled: new Map([["a", 9000]]) }, nothingYet, 0);
  memory.note("a");
  expect(memory.update({ rolling: [], stalled: new Map() }, nothingYet, 1000).rolledAt.get("a")).toBe(1000);
  expect(memory.update({ rolling: [], stalled: new Map() }, nothingYet, 2000).rolledAt.get("a")).toBe(1000);
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
      memory.update({ rolling, stalled: given[at] ?? new Map() }, nothingYet, at * 1000),
    );
    expect(seen.at(-1)?.rolledAt.get("a")).toBe(want);
  });
});

describe("4.7 an undo of what gave its place up begins no delay of its own", () => {
  interface Step {
    readonly rolling?: readonly string[];
    readonly stalled?: number;
    readonly writes?: "undo" | "move";
  }
  const gone: Step = { rolling: ["a"], stalled: 600, writes: "undo" };
  const rolls: Step = { rolling: ["a"] };
  const cases: readonly { readonly name: string; readonly steps: readonly Step[]; readonly want: number }[] = [
    { name: "while it is put back", steps: [gone, rolls, rolls], want: -600 },
    { name: "also where that stalls as well", steps: [gone, rolls, { ...rolls, stalled: 0 }], want: -600 },
    { name: "also when it is back", steps: [gone, rolls, {}], want: -600 },
    { name: "also when it is back at once", steps: [gone, {}, {}], want: -600 },
    { name: "the undo of what kept its place does", steps: [{ ...rolls, writes: "undo" }, rolls, {}], want: 2000 },
    { name: "a next move does", steps: [gone, { writes: "move" }, rolls], want: 2000 },
    { name: "another try at once does", steps: [{ ...gone, writes: "move" }, rolls], want: 1000 },
    { name: "a move while it is put back does", steps: [gone, { ...rolls, writes: "move" }, rolls], want: 2000 },
    { name: "what rolls later does", steps: [gone, {}, rolls], want: 2000 },
  ];
  it.each(cases)("$name", ({ steps, want }) => {
    const memory = createPaceMemory();
    const seen = steps.map(({ rolling = [], stalled, writes }, at) => {
      const given = new Map(stalled === undefined ? [] : [["a", stalled]]);
      const { rolledAt } = memory.update({ rolling, stalled: given }, nothingYet, at * 1000);
      const last = rolledAt.get("a");
      if (writes === "undo") memory.noteUndo("a");
      if (writes === "move") memory.note("a");
      return last;
    });
    expect(seen.at(-1)).toBe(want);
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
    const pace = createPaceMemory().update({ rolling: [], stalled: new Map() }, cluster, 0);
    expect(pace.rolledAt.get("shop/Deployment/a")).toBe(want);
  });
});
