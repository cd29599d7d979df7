import type { Workload } from "#libs/fleet";
import { makeCluster, makeMigrated, makeWorkload, moved, noon, makeRun, makeStop, runId, sha } from "#test/world/build";
import { makeExecutorView, openRunLedger, type ExecutorViewChange } from "#test/world/executor";
import { describe, expect, it } from "vitest";

import type { Due } from "../records/index.ts";
import { chooseForJob } from "./choose-for-job.ts";

const settings = makeExecutorView().snapshot.settings;
const batchOf = (change: object) => (settings === undefined ? {} : { batch: { ...settings.batch, ...change } });
const [a, b, c] = ["shop/a", "shop/b", "shop/c"].map((name) => makeWorkload(name));
const all = [a, b, c].filter((each) => each !== undefined);
/** `b`, and with a second number another workload, were last seen to roll this many ms ago. */
const rolledAgo = (ms: number, other?: number) => ({
  rolledAt: new Map([
    ["shop/Deployment/b", 100_000 - ms],
    ...(other === undefined ? [] : [["shop/Deployment/z", 100_000 - other] as const]),
  ]),
  elapsed: 100_000,
});
/** `b` was written this many ms ago and rolls; the others are due. */
function makeHalf(ago: number | undefined) {
  const rolling = {
    ...moved(makeWorkload("shop/b"), "new", runId),
    ...(ago === undefined ? {} : { times: { written: noon - ago } }),
  };
  return makeCluster("one", [makeWorkload("shop/a"), rolling, makeWorkload("shop/c")], { serverNow: noon });
}
const away = (name: string): Workload => makeMigrated(makeWorkload(name), "new", runId);

/** `a b` is a batch of these, a code a wait, "nothing" neither. */
function choose(view: ExecutorViewChange, job: { run?: string; due?: Due } = {}, refused: readonly string[] = []) {
  const { snapshot } = makeExecutorView({ workloads: all, ...view });
  const keys = new Set(refused.map((name) => `shop/Deployment/${name}`));
  const choice = chooseForJob(snapshot, { run: runId, due: "pending", ...job }, keys);
  if (choice.kind === "batch") return choice.batch.items.map(({ name }) => name).join(" ");
  return choice.kind === "wait" ? choice.reason.code : choice.kind;
}

describe("what an executor moves next of a run that may work in its cluster", () => {
  const two = { settings: batchOf({ batchSize: 2 }) };
  const cases: readonly { name: string; view: ExecutorViewChange; job?: { run?: string; due?: Due }; want: string }[] =
    [
      { name: "4.1 a batch of batchSize workloads", view: two, want: "a b" },
      {
        name: "4.2 own writes that the watch has not shown yet take places",
        view: { ...two, settings: { ...two.settings, strategy: "Window" }, rolling: new Set(["shop/Deployment/b"]) },
        want: "a",
      },
      {
        name: "4.2 the rest of a batch that has begun",
        view: { ...two, cluster: makeHalf(10_000), pace: rolledAgo(0) },
        want: "a",
      },
      {
        name: "4.2 nothing, if a settled workload of the batch that has begun fills its last place",
        view: { ...two, cluster: makeHalf(10_000), pace: rolledAgo(0, 4000) },
        want: "BatchSettling",
      },
      {
        name: "4.2 workloads that settled before the batch began do not count for it",
        view: { ...two, cluster: makeHalf(10_000), pace: rolledAgo(0, 12_001) },
        want: "a",
      },
      {
        name: "4.2 nothing with Batched, if the objects do not say when the batch began",
        view: { ...two, cluster: makeHalf(undefined), pace: rolledAgo(0) },
        want: "BatchSettling",
      },
      {
        name: "3.3 nothing before delayBetweenBatches is over since the last rollout",
        view: { settings: batchOf({ delayBetweenBatches: 1000 }), pace: rolledAgo(999) },
        want: "DelayBetweenBatches",
      },
      {
        name: "3.3 the next batch when delayBetweenBatches is over",
        view: { settings: batchOf({ delayBetweenBatches: 1000 }), pace: rolledAgo(1000) },
        want: "a",
      },
      {
        name: "3.3 with Window there is no delay",
        view: { settings: { ...batchOf({ delayBetweenBatches: 1000 }), strategy: "Window" }, pace: rolledAgo(999) },
        want: "a",
      },
      {
        name: "3.4 nothing for a run that is not in the ledger",
        view: two,
        job: { run: "aaaaaaaaaaaa" },
        want: "nothing",
      },
      { name: "1.2 nothing without a ledger", view: { ...two, ledger: undefined }, want: "nothing" },
      {
        name: "3.3 no workload of pendingLast while others are pending",
        view: two,
        job: { due: "pendingLast" },
        want: "nothing",
      },
    ];
  it.each(cases)("$name", ({ view, job, want }) => {
    expect(choose(view, job)).toBe(want);
  });
});

describe("2.3 workloads whose rollback the API server refused lately are left out", () => {
  const back = makeStop({ id: "r", scope: `run/${runId}`, cause: "rollback", revertTo: sha("base"), now: true });
  const changes = [{ pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" as const }];
  const runs = { [runId]: makeRun(sha("head"), sha("base"), { changes }) };
  const workloads = ["shop/a", "shop/b", "shop/c"].map(away);
  const view = {
    workloads,
    stops: [{ ...back, from: "ledger" as const }],
    ledger: openRunLedger({ runs, stops: { r: back } }),
    settings: settings === undefined ? {} : { rollbackBatch: { ...settings.rollbackBatch, batchSize: 2 } },
  };
  const broken = workloads.map((each) => ({ ...each, available: each.name === "c" ? each.available : 0 }));
  const cases = [
    { name: "none was refused", view, refused: [], want: "a b" },
    { name: "one was refused", view, refused: ["a"], want: "b c" },
    { name: "all were refused", view, refused: ["a", "b", "c"], want: "WritesRefused" },
    {
      name: "a broken workload, which goes first, was refused",
      view: { ...view, workloads: broken },
      refused: ["a"],
      want: "b",
    },
    {
      name: "all broken workloads were refused: the rest goes",
      view: { ...view, workloads: broken },
      refused: ["a", "b"],
      want: "c",
    },
  ];
  it.each(cases)("$name", ({ view: seen, refused, want }) => {
    expect(choose(seen, { due: "rollback" }, refused)).toBe(want);
  });
});
