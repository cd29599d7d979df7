import { makeCluster, makeWorkload } from "#test/world/build";
import { describe, expect, it } from "vitest";

import { createPaceMemory } from "./batch-pace.ts";

const nothingYet = { namespaces: new Map() };

describe("3.3 when a workload was last seen to roll", () => {
  const cases = [
    { name: "a rolling workload: now", reconciles: [["a"], ["a"]], want: 1000 },
    // It came to rest between the two reconciles, and the delay must not begin earlier.
    { name: "a workload that came to rest since the last reconcile: now", reconciles: [["a"], []], want: 1000 },
    { name: "a workload at rest for longer: when it was first seen at rest", reconciles: [["a"], [], []], want: 1000 },
    { name: "a workload that rolls again: now", reconciles: [["a"], [], ["a"], []], want: 3000 },
    { name: "another workload: never", reconciles: [["b"], []], want: undefined },
  ];
  it.each(cases)("$name", ({ reconciles, want }) => {
    const memory = createPaceMemory();
    const seen = reconciles.map((rolling, at) => memory.update({ rolling, stalled: new Map() }, nothingYet, at * 1000));
    expect(seen.at(-1)?.rolledAt.get("a")).toBe(want);
  });
});

it("3.3 a workload that was written and settled before the next reconcile: at that reconcile", () => {
  const memory = createPaceMemory();
  memory.update({ rolling: ["a"], stalled: new Map([["a", 9000]]) }, nothingYet, 0);
  memory.note("a");
  expect(memory.update({ rolling: [], stalled: new Map() }, nothingYet, 1000).rolledAt.get("a")).toBe(1000);
  expect(memory.update({ rolling: [], stalled: new Map() }, nothingYet, 2000).rolledAt.get("a")).toBe(1000);
});

describe("4.7 for the delay, a workload came to rest when it gave up its place", () => {
  const stalled = (ms: number) => new Map([["a", ms]]);
  const cases = [
    { name: "while it rolls on", reconciles: [["a"], ["a"]], given: [new Map(), stalled(400)], want: 600 },
    {
      name: "if it migrates later",
      reconciles: [["a"], ["a"], []],
      given: [stalled(0), stalled(1000), new Map()],
      want: 0,
    },
    { name: "until it makes progress again", reconciles: [["a"], ["a"]], given: [stalled(0), new Map()], want: 1000 },
    { name: "in a process that has just started", reconciles: [["a"]], given: [stalled(30_000)], want: -30_000 },
  ];
  it.each(cases)("$name", ({ reconciles, given, want }) => {
    const memory = createPaceMemory();
    const seen = reconciles.map((rolling, at) =>
      memory.update({ rolling, stalled: given[at] ?? new Map() }, nothingYet, at * 1000),
    );
    expect(seen.at(-1)?.rolledAt.get("a")).toBe(want);
  });
});

describe("4.7 whether the undo of a workload that gave up its place starts a delay", () => {
  interface Step {
    readonly rolling?: readonly string[];
    readonly stalled?: number;
    readonly writes?: "undo" | "move";
  }
  const gone: Step = { rolling: ["a"], stalled: 600, writes: "undo" };
  const rolls: Step = { rolling: ["a"] };
  const cases: readonly { readonly name: string; readonly steps: readonly Step[]; readonly want: number }[] = [
    { name: "no, while it rolls", steps: [gone, rolls, rolls], want: -600 },
    { name: "no, if it stalls too", steps: [gone, rolls, { ...rolls, stalled: 0 }], want: -600 },
    { name: "no, when it ends later", steps: [gone, rolls, {}], want: -600 },
    { name: "no, when it ends at once", steps: [gone, {}, {}], want: -600 },
    {
      name: "yes, if the workload had kept its place",
      steps: [{ ...rolls, writes: "undo" }, rolls, {}],
      want: 2000,
    },
    { name: "yes, with the next move", steps: [gone, { writes: "move" }, rolls], want: 2000 },
    { name: "yes, with an immediate retry", steps: [{ ...gone, writes: "move" }, rolls], want: 1000 },
    { name: "yes, with a move during the undo", steps: [gone, { ...rolls, writes: "move" }, rolls], want: 2000 },
    { name: "yes, with a later rollout", steps: [gone, {}, rolls], want: 2000 },
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

describe("4.2 workloads that rolled before this process started", () => {
  const at = 1_000_000;
  const makeMarked = (times: object) =>
    makeCluster("one", [{ ...makeWorkload("shop/a"), annotations: { "meshroll.dev/run": "abcdefabcdef new" }, times }]);
  const cases = [
    {
      name: "at rest since the time of its API server",
      times: { written: at - 60_000, rolledOut: at - 31_000, status: at },
      want: -30_000,
    },
    { name: "at rest since just now, where the object has no time", times: {}, want: 0 },
    {
      name: "at rest since just now, where the server's time is unknown",
      times: { status: at - 60_000 },
      isTold: false,
      want: 0,
    },
  ];
  it.each(cases)("$name", ({ times, want, isTold = true }) => {
    const cluster = { ...makeMarked(times), ...(isTold ? { serverNow: at } : {}) };
    const pace = createPaceMemory().update({ rolling: [], stalled: new Map() }, cluster, 0);
    expect(pace.rolledAt.get("shop/Deployment/a")).toBe(want);
  });
});
