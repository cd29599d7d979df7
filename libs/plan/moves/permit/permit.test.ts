import type { Settings } from "#libs/campaign";
import type { ActiveStop } from "#libs/plan";
import { makeMigrated, makeCluster, makeLedger, makeRun, makeWorkload, moved, runId, sha } from "#test/world/build";
import { makeItem, makeJob, makeExecutorView, openRunLedger, type ExecutorViewChange } from "#test/world/executor";
import { describe, expect, test } from "vitest";

import { permitPatch } from "./permit.ts";

const a = makeWorkload("shop/a");
const b = makeWorkload("shop/b");
const stop = (scope: ActiveStop["scope"], from: ActiveStop["from"] = "ledger"): ActiveStop => ({
  id: "s",
  scope,
  strength: "move",
  who: "ana",
  why: "because",
  at: "",
  from,
});

const begunElsewhere = makeLedger({
  main: sha("head"),
  judged: sha("head"),
  runs: {
    [runId]: makeRun(sha("head"), sha("base"), {
      clusters: { one: { openedAt: "2026-11-19T12:00:00.000Z", uid: "former", unhealthyBefore: [] } },
    }),
  },
});

interface Case {
  readonly name: string;
  readonly view?: ExecutorViewChange;
  readonly job?: Parameters<typeof makeJob>[0];
  readonly item?: Parameters<typeof makeItem>[1];
  readonly want: string;
}

function decide({ view, job, item }: Case): string {
  const { snapshot, judged } = makeExecutorView({ workloads: [a, b], ...view });
  const state = judged.find(({ key }) => key === "shop/Deployment/a");
  const permit = permitPatch(snapshot, makeJob(job), makeItem(a, item), state);
  return permit.kind === "go" ? "go" : `${permit.kind} ${permit.reason.code}`;
}

describe("before each patch, by the executor's own newest main", () => {
  const batch = (batchSize: number, more: Partial<Settings["batch"]> = {}) => ({
    settings: { batch: { ...(makeExecutorView().snapshot.head?.settings.batch ?? fail()), batchSize, ...more } },
  });
  const sick = makeWorkload("shop/sick", { available: 0 });
  const cases: readonly Case[] = [
    { name: "4.3 all conditions are met", want: "go" },
    { name: "4.3 the executor no longer holds the job's lock", job: { holdsLock: false }, want: "end LockLost" },
    { name: "9.1 the cluster has another UID than the job", job: { clusterUid: "other" }, want: "end OtherCluster" },
    {
      name: "9.1 the UIDs of cluster and job are both unknown",
      view: { cluster: makeCluster("one", [a, b], { facts: { uid: "" } }) },
      job: { clusterUid: "" },
      want: "end OtherCluster",
    },
    {
      name: "9.1 the job has the cluster's UID, but the run was begun in a cluster with another one",
      view: { ledger: begunElsewhere },
      want: "end OtherCluster",
    },
    {
      name: "9.1 the cluster does not say yet which installation serves it",
      view: { claim: "none" },
      want: "wait ClusterUnclaimed",
    },
    { name: "9.1 another installation serves the cluster", view: { claim: "other" }, want: "end ClusterOfOther" },
    {
      name: "9.1 the cluster is not fresh",
      view: { cluster: makeCluster("one", [a, b], { fresh: false }) },
      want: "wait ClusterUnreachable",
    },
    { name: "4.3 control is not fresh", view: { control: "stale" }, want: "wait ControlUnknown" },
    { name: "12.1 main was read more than ten minutes ago", view: { mainAgeMs: 600_001 }, want: "wait MainUnknown" },
    { name: "1.7 main does not parse", view: { head: undefined }, want: "end NothingReadable" },
    { name: "1.2 there is no ledger", view: { ledger: undefined }, want: "end NothingReadable" },
    {
      name: "4.3 the job's commit is not in the first-parent history",
      job: { isContained: false },
      want: "end CommitGone",
    },
    { name: "4.3 the run is not in the ledger", job: { run: "aaaaaaaaaaaa" }, want: "end RunOver" },
    {
      name: "4.3 the run is over",
      view: { ledger: openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { state: "done" }) } }) },
      want: "end RunOver",
    },
    {
      name: "4.3 the ledger does not show the wave open",
      view: { ledger: openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { clusters: {} }) } }) },
      want: "end WaveClosed",
    },
    { name: "4.3 a stop on all", view: { stops: [stop("all")] }, want: "end Stopped" },
    { name: "4.3 a stop on its namespace", view: { stops: [stop("namespace/shop")] }, want: "skip Stopped" },
    { name: "4.3 head assigns another target", view: { percentNew: 0 }, want: "skip NotDemanded" },
    { name: "4.3 the job asks for another target than head", item: { target: "newer" }, want: "skip NotDemanded" },
    {
      name: "4.3 the workload already runs the target",
      view: { workloads: [makeMigrated(a, "new", runId)] },
      want: "skip NotPending",
    },
    { name: "3.4 the workload was deleted and created again", item: { uid: "another" }, want: "skip Gone" },
    {
      name: "4.5 the target's webhook is missing",
      view: { cluster: makeCluster("one", [a], { facts: { revisions: [] } }) },
      want: "end RevisionMissing",
    },
    {
      name: "4.5 the target's istiod is missing",
      view: {
        cluster: makeCluster("one", [a], { facts: { revisions: [{ name: "new", webhook: true, istiod: "missing" }] } }),
      },
      want: "end IstiodNotReady",
    },
    {
      name: "4.3 the workload belongs to another run now",
      view: {
        ledger: openRunLedger({
          runs: {
            [runId]: makeRun(sha("head"), sha("base"), { id: runId, order: 1 }),
            bbbbbbbbbbbb: makeRun(sha("head"), sha("base"), { id: "bbbbbbbbbbbb", order: 2 }),
          },
        }),
      },
      want: "skip NotDemanded",
    },
    {
      name: "3.3 maxUnavailable is reached",
      view: { workloads: [a, b, sick], ...batch(5, { maxUnavailable: 1 }) },
      want: "wait MaxUnavailable",
    },
    {
      name: "3.3 maxUnavailable is not reached",
      view: { workloads: [a, b, sick], ...batch(5, { maxUnavailable: 2 }) },
      want: "go",
    },
    {
      name: "3.3 a percentage of maxUnavailable is of the cluster's managed workloads",
      view: { workloads: [a, b, sick, makeWorkload("shop/c")], ...batch(5, { maxUnavailable: { percent: 50 } }) },
      want: "go",
    },
    {
      name: "2.3 a broken workload waits for a place, unless it is rolled back",
      view: { workloads: [{ ...a, available: 1 }, moved(b, "new", runId)] },
      want: "wait BatchFull",
    },
    {
      name: "4.2 fewer than batchSize others move",
      view: { workloads: [a, moved(b, "new", runId)], ...batch(2) },
      want: "go",
    },
    {
      name: "4.2 workloads that move by another run count",
      view: { workloads: [a, moved(b, "newer", "bbbbbbbbbbbb")] },
      want: "wait BatchFull",
    },
    {
      name: "4.2 the workload's own patch does not count",
      view: { rolling: new Set(["shop/Deployment/a"]) },
      want: "go",
    },
  ];
  test.each(cases)("$name", (each) => {
    expect(decide(each)).toBe(each.want);
  });
});

function fail(): never {
  throw new Error("a snapshot has a head");
}
