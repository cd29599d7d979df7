import { writeText } from "#libs/wording";
import { builtInSettings, type Gate, type Settings } from "#libs/campaign";
import type { Workload } from "#libs/fleet";
import { makeMigrated, makeCluster, makeRun, makeWorkload, noon, runId, sha } from "#test/world/build";
import fc from "fast-check";
import { wordsOf } from "#test/world/words";
import { describe, expect, it } from "vitest";

import { chooseSaveEvery, countHealthy, findBakePause, isBaked, planBakeStep } from "./bake.ts";
import type { BakeRecord } from "../records/ledger-state.ts";
import type { RunInCluster, RunView } from "../index/run-view.ts";
import type { JudgedWorkload } from "../workloads/workload-state.ts";
import type { BakeWatch } from "../records/snapshot.ts";

const hour = 3_600_000;
const healthGate = (maxFailureRatio: number): Gate => ({
  name: "restarts",
  when: "during",
  onFail: "pause",
  onNoData: "pass",
  kind: "restartHealth",
  maxFailureRatio,
  minSamples: 1,
});
const settingsWith = (change: Partial<Settings>): Settings => ({ ...builtInSettings, gates: [], ...change });
const reason = { code: "BakeUnhealthy", workloads: ["shop/Deployment/a in one"], total: 1 } as const;

const moved = makeMigrated(makeWorkload("shop/a"), "new", runId);
/** Deployed by its owner since its move was complete: ready since then, or never. */
const deployed = { ...moved, available: 1, times: { written: noon - 60_000, deployed: noon - 30_000 } };
const pods = [{ revision: "new", count: 2, ready: 1, oldest: noon - 40_000 }];

/** Migrated workloads of the run in one cluster, some of which lack pods now. */
function makeClasses(total: number, ailing: readonly string[], workload: Workload = moved): RunInCluster {
  const states = ailing.map((key) => ({ key, workload }) as JudgedWorkload);
  return {
    count: (classes) => (classes.includes("migrated") ? total : 0),
    list: () => [],
    collect: () => [],
    turns: () => [],
    listIn: () => [],
    countWaiting: () => 0,
    findWaitingOne: () => undefined,
    listFailed: () => [],
    listFailureAnnotated: () => [],
    countFailureAnnotated: () => 0,
    countLeftover: () => 0,
    listAiling: () => states,
  };
}

interface Case {
  readonly name: string;
  readonly total: number;
  readonly ailing: readonly string[];
  readonly before?: readonly string[];
  readonly workload?: Workload;
  readonly settings?: Partial<Settings>;
  readonly fresh?: boolean;
  /** A part of the reason for the pause; undefined = it counts. */
  readonly want: string | undefined;
}

const cases: readonly Case[] = [
  { name: "all workloads are healthy: it counts", total: 10, ailing: [], want: undefined },
  {
    name: "one of ten workloads lacks pods: interrupted",
    total: 10,
    ailing: ["a"],
    want: "a in one of 10 workloads lack pods",
  },
  { name: "one of fifty workloads lacks pods: it counts", total: 50, ailing: ["a"], want: undefined },
  {
    name: "two of fifty workloads lack pods: interrupted",
    total: 50,
    ailing: ["a", "b"],
    want: "a in one and 1 more of 50 workloads",
  },
  {
    name: "the workload already lacked pods when its wave opened: it counts",
    total: 10,
    ailing: ["a"],
    before: ["a"],
    want: undefined,
  },
  {
    name: "pods of its owner's later deploy were never ready: it counts",
    total: 10,
    ailing: ["a"],
    workload: { ...deployed, pods },
    want: undefined,
  },
  {
    name: "the restartHealth gate allows as many: it counts",
    total: 10,
    ailing: ["a"],
    settings: { gates: [healthGate(0.1)] },
    want: undefined,
  },
  {
    name: "the restartHealth gate allows all to fail, which does not apply to the bake: interrupted",
    total: 10,
    ailing: ["a"],
    settings: { gates: [healthGate(1)] },
    want: "a in one of 10",
  },
  { name: "its cluster is not seen: interrupted", total: 10, ailing: [], fresh: false, want: "one is not seen" },
  {
    name: "its cluster is not seen, and excluded: it counts",
    total: 10,
    ailing: [],
    fresh: false,
    settings: { excludedClusters: ["one"] },
    want: undefined,
  },
];

describe("6.2 when a bake is interrupted", () => {
  it.each(cases)("$name", ({ total, ailing, before = [], settings = {}, fresh = true, want, workload: own }) => {
    const opened = { openedAt: "2026-11-19T12:00:00.000Z", unhealthyBefore: before };
    const run = makeRun(sha("head"), sha("base"), { clusters: { one: opened } });
    const view: RunView = { run, clusters: new Map([["one", makeClasses(total, ailing, own)]]) };
    const clusters = new Map([["one", makeCluster("one", [moved], { fresh })]]);
    const pause = findBakePause(view, settingsWith(settings), clusters);
    expect(wordsOf(pause)?.message ?? "it counts").toContain(want ?? "it counts");
  });
});

describe("6.2 the next record of a bake", () => {
  const record = (healthyMs: number, more: Partial<BakeRecord> = {}): BakeRecord => ({
    beganAt: "2026-11-19T12:00:00.000Z",
    neededMs: hour,
    healthyMs,
    savedAt: "2026-11-19T12:00:00.000Z",
    ...more,
  });
  const steps: readonly {
    readonly name: string;
    readonly bake: BakeRecord | undefined;
    readonly watch: BakeWatch | undefined;
    readonly want: string | undefined;
  }[] = [
    { name: "there is no record yet: its start", bake: undefined, watch: undefined, want: "began" },
    { name: "no healthy time yet: nothing", bake: record(0), watch: undefined, want: undefined },
    {
      name: "healthy time of less than a step: nothing",
      bake: record(0),
      watch: { healthyMs: hour / 50 - 1 },
      want: undefined,
    },
    { name: "healthy time of a step: progress", bake: record(0), watch: { healthyMs: hour / 50 }, want: "progress" },
    { name: "all of the needed time: its end", bake: record(hour / 2), watch: { healthyMs: hour / 2 }, want: "over" },
    {
      name: "in a new planner the first step is 1/32 of a usual one",
      bake: record(hour / 2),
      watch: { healthyMs: hour / 1600, savedMs: 0 },
      want: "progress",
    },
    {
      name: "in a new planner the second step is three times the saved one",
      bake: record(hour / 2),
      watch: { healthyMs: (3 * hour) / 1600 - 1, savedMs: hour / 1600 },
      want: undefined,
    },
    {
      name: "an interruption of 30 s: the interruption",
      bake: record(0),
      watch: { healthyMs: 1, paused: reason, pausedMs: 30_000 },
      want: "paused",
    },
    {
      name: "an interruption of less than 30 s, as after a planner's start: nothing",
      bake: record(0),
      watch: { healthyMs: 1, paused: reason, pausedMs: 29_999 },
      want: undefined,
    },
    {
      name: "an interruption that is recorded already: nothing",
      bake: record(0, { paused: { code: "BakeUnseen", message: writeText("it") } }),
      watch: { healthyMs: 1, paused: reason, pausedMs: 30_000 },
      want: undefined,
    },
  ];
  it.each(steps)("$name", ({ bake, watch, want }) => {
    const run = makeRun(sha("head"), sha("base"), bake === undefined ? {} : { bake });
    expect(planBakeStep(run, settingsWith({ bake: hour }), watch)).toBe(want);
  });

  it.each([
    ["two minutes: each tenth", 2, 0.2],
    ["ten minutes: each minute", 10, 1],
    ["half an hour: each minute", 30, 1],
    ["two hours: each fiftieth", 120, 2.4],
    ["two days: each fiftieth", 48 * 60, 57.6],
    ["a week: each hour", 7 * 24 * 60, 60],
  ])("6.2 of a bake of %s is saved", (_, minutes, want) => {
    expect(chooseSaveEvery(minutes * 60_000)).toBeCloseTo(want * 60_000);
  });

  it("1.4 a longer bake that was merged meanwhile counts, and one of 0 is over at once", () => {
    const run = makeRun(sha("head"), sha("base"), { bake: record(hour) });
    expect(isBaked(run, settingsWith({ bake: hour }))).toBe(true);
    expect(isBaked(run, settingsWith({ bake: hour + 1 }))).toBe(false);
    expect(isBaked(makeRun(sha("head"), sha("base")), settingsWith({ bake: hour }))).toBe(false);
    expect(isBaked(makeRun(sha("head"), sha("base")), settingsWith({ bake: 0 }))).toBe(true);
  });

  it("healthy time never decreases, whatever is saved and seen", () => {
    fc.assert(
      fc.property(fc.nat(hour), fc.nat(hour), (saved, seen) => {
        expect(countHealthy(record(saved), { healthyMs: seen })).toBe(saved + seen);
        expect(countHealthy(record(saved), undefined)).toBe(saved);
        expect(countHealthy(undefined, { healthyMs: seen })).toBe(seen);
      }),
    );
  });
});
