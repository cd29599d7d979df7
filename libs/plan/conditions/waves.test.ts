import type { ClusterOrder } from "#libs/campaign";
import { makeCluster, makeRun, noon, sha } from "#test/world/build";
import { describe, expect, it } from "vitest";

import type { OpenedCluster, RunRecord } from "../records/ledger-state.ts";
import type { RunInCluster } from "../index/run-view.ts";
import { planWave } from "./waves.ts";

const minute = 60_000;
const at = (ms: number) => new Date(noon + ms).toISOString();
const opened = (doneAt?: number): OpenedCluster => ({
  openedAt: at(-60 * minute),
  unhealthyBefore: [],
  ...(doneAt === undefined ? {} : { doneAt: at(doneAt) }),
});

/** A cluster with these numbers of workloads: left, and complete. */
function makeClasses(left: number, migrated: number): RunInCluster {
  return {
    count: (classes) => left + (classes.includes("migrated") ? migrated : 0),
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
    listAiling: () => [],
  };
}

interface Case {
  readonly name: string;
  /** Workloads that are left, by cluster; a name with `?` is not seen now. */
  readonly left: Readonly<Record<string, number>>;
  /** Workloads that are complete, by cluster; 0 where it is not named. */
  readonly migrated?: Readonly<Record<string, number>>;
  readonly order?: readonly (readonly string[])[];
  readonly more?: Partial<ClusterOrder>;
  readonly open?: Readonly<Record<string, OpenedCluster>>;
  readonly run?: Partial<RunRecord>;
  readonly want: string;
}

function plan({ left, migrated = {}, order, more = {}, open = {}, run = {} }: Case): string {
  const names = Object.keys(left).map((name) => name.replace("?", ""));
  const clusters = Object.keys(left).map((name) => {
    const plain = name.replace("?", "");
    return [plain, makeCluster(plain, [], { fresh: plain === name })] as const;
  });
  const record = makeRun(sha("head"), sha("base"), { clusters: open, expected: names, ...run });
  const views = Object.entries(left).map(([name, count]) => {
    const plain = name.replace("?", "");
    return [plain, makeClasses(count, migrated[plain] ?? 0)] as const;
  });
  const step = planWave({
    now: noon,
    view: { run: record, clusters: new Map(views) },
    awaited: names,
    clusters: new Map(clusters),
    order: order === undefined ? undefined : { order, delayBetweenWaves: 0, ...more },
  });
  if (step.kind === "open") return `open ${step.clusters.map(({ name }) => name).join(" ")}`;
  if (step.kind === "close") return `close ${step.clusters.join(" ")}`;
  return step.kind === "wait" ? `wait ${step.reason.code} until ${step.reason.until}` : step.kind;
}

const delay = { delayBetweenWaves: 30 * minute };
const cases: readonly Case[] = [
  { name: "without an order all clusters open at once", left: { a: 1, b: 1 }, want: "open a b" },
  { name: "the first wave of an order opens alone", left: { a: 1, b: 1, c: 1 }, order: [["b"], ["a"]], want: "open b" },
  {
    name: "the second wave waits for the first",
    left: { a: 1, b: 1 },
    order: [["b"], ["a"]],
    open: { b: opened() },
    want: "nothing",
  },
  {
    name: "the second wave opens when the first is done",
    left: { a: 1, b: 0 },
    order: [["b"], ["a"]],
    open: { b: opened() },
    want: "open a",
  },
  {
    name: "the second wave waits while a cluster of the first is not seen",
    left: { a: 1, "b?": 0 },
    order: [["b"], ["a"]],
    open: { b: opened() },
    want: "nothing",
  },
  {
    name: "a wave without clusters of the run is passed over",
    left: { a: 1 },
    order: [["z"], ["a"]],
    want: "open a",
  },
  { name: "a cluster that is not seen does not open", left: { a: 1, "b?": 1 }, want: "open a" },
  {
    name: "4.7 within a wave the cluster with the smallest part done opens first",
    left: { a: 10, b: 10, c: 10 },
    migrated: { a: 30, b: 5, c: 10 },
    order: [["a", "b", "c"]],
    more: { concurrency: 2 },
    want: "open b c",
  },
  {
    name: "concurrency 2 opens two clusters",
    left: { a: 1, b: 1, c: 1 },
    order: [["a", "b", "c"]],
    more: { concurrency: 2 },
    want: "open a b",
  },
  {
    name: "a cluster that is done takes no place of concurrency",
    left: { a: 0, b: 1, c: 1 },
    order: [["a", "b", "c"]],
    more: { concurrency: 1 },
    open: { a: opened() },
    want: "open b",
  },
  {
    name: "a cluster without work takes its place in the order",
    left: { a: 1, b: 0, c: 1 },
    order: [["a", "b", "c"]],
    more: { concurrency: 1 },
    open: { a: opened() },
    want: "open b",
  },
  {
    name: "with a delay between waves the end of a wave is recorded",
    left: { a: 0, b: 1 },
    order: [["a"], ["b"]],
    more: delay,
    open: { a: opened() },
    want: "close a",
  },
  {
    name: "the end of a cluster is recorded once",
    left: { a: 0, b: 0, c: 1 },
    order: [["a", "b"], ["c"]],
    more: delay,
    open: { a: opened(-20 * minute), b: opened() },
    want: "close b",
  },
  {
    name: "the delay counts from the last end in the wave",
    left: { a: 0, b: 0, c: 1 },
    order: [["a", "b"], ["c"]],
    more: delay,
    open: { a: opened(-40 * minute), b: opened(-20 * minute) },
    want: `wait DelayBetweenWaves until ${at(10 * minute)}`,
  },
  {
    name: "the delay is over to the millisecond",
    left: { a: 0, b: 1 },
    order: [["a"], ["b"]],
    more: delay,
    open: { a: opened(-30 * minute) },
    want: "open b",
  },
  {
    name: "a cluster that was unknown when the run began waits for the last wave, even if it is named in the first",
    left: { a: 1, b: 1, c: 1 },
    order: [["c"], ["a"], ["b"]],
    run: { expected: ["a", "b"] },
    want: "open a",
  },
  {
    name: "a cluster that was unknown when the run began opens with the last wave",
    left: { a: 0, b: 1, c: 1 },
    order: [["c"], ["a"], ["b"]],
    open: { a: opened() },
    run: { expected: ["a", "b"] },
    want: "open b c",
  },
  {
    name: "a cluster that was unknown when the run began opens at once if there is no other wave",
    left: { c: 1 },
    order: [["c"]],
    run: { expected: [] },
    want: "open c",
  },
  {
    name: "clusters without work all open at once, whatever the order",
    left: { a: 0, b: 0 },
    order: [["a"], ["b"]],
    want: "open a b",
  },
  {
    name: "of clusters without work, one that is not seen does not open",
    left: { a: 0, "b?": 0 },
    order: [["a"], ["b"]],
    want: "open a",
  },
  {
    name: "a wave after a cluster that is not seen waits, because the work left there is unknown",
    left: { "a?": 0, b: 0 },
    order: [["a"], ["b"]],
    want: "nothing",
  },
];

describe("6.1 the next step of a run's waves", () => {
  it.each(cases)("$name", (each) => {
    expect(plan(each)).toBe(each.want);
  });
});
