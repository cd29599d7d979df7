import { failed, makeWorkload, moved, noon, runId } from "#test/world/build";
import { judgeOne, testWorkloadStates } from "#test/world/judge-one";
import { describe, expect, test } from "vitest";

const a = makeWorkload("shop/a");
const mark = { "meshroll.dev/failed": "new ReadinessTimeout 2026-11-19T11:43:00Z" };
const sick = makeWorkload("shop/a", { available: 0, pods: [{ revision: "old", count: 2, ready: 0 }] });
const tried = (target: string) => ({
  ...sick,
  annotations: { "meshroll.dev/run": `${runId} ${target} UnhealthyBefore` },
});
const forgiven = { "one:shop/Deployment/a": 1 };
const leftAsFailed = moved({ ...a, annotations: mark }, "new", runId);

const notPutBack = { "meshroll.dev/failed": `${mark["meshroll.dev/failed"]} RevisionMissing old` };
const byKubectl = (key: string) => ({ marksBy: { [`meshroll.dev/${key}`]: "kubectl-annotate" } });
const tellHand = (key: string) =>
  `skipped: MarkedByHand: its meshroll.dev/${key} was written by kubectl-annotate, not by meshroll: ` +
  "meshroll changes nothing here until its owner removes it";
/** Migrating, with one of two pods ready. */
const moving = moved(a, "new", runId, { updated: 1, available: 1 });
const saidArrived = { ...moving.annotations, "meshroll.dev/arrived": `${runId} new` };

/** Seen on Kubernetes 1.36: the older ReplicaSet had our annotations of an earlier move, and the field manager is kubectl. */
const undoneByKubectl = {
  ...a,
  annotations: saidArrived,
  marksBy: { "meshroll.dev/arrived": "kubectl", "meshroll.dev/run": "kubectl" },
  revisionManager: { name: "kubectl", operation: "Update" as const },
};

describe("failure annotations, and who wrote them", () => {
  testWorkloadStates([
    {
      name: "3.3 a failure annotation by its owner skips the workload, and does not count as a failure",
      workload: { ...failed(a, "new", runId), ...byKubectl("failed") },
      want: tellHand("failed"),
    },
    {
      name: "3.3 a failure whose undo is not written does not count",
      workload: leftAsFailed,
      want: "skipped: ReadinessTimeout at 2026-11-19T11:43:00Z",
    },
    {
      name: "3.3 a failure whose undo waits for a served revision counts",
      workload: moved({ ...a, annotations: notPutBack }, "new", runId),
      want:
        "skipped (shop/Deployment/a): ReadinessTimeout, not put back (RevisionMissing): new pods would get no sidecar of old, " +
        "which the mesh operator has to repair (meshroll doctor); then it is put back by itself; failed at 2026-11-19T11:43:00Z",
    },
    {
      name: "3.3 a failure of another move than the run's does not count",
      workload: { ...a, annotations: { ...mark, "meshroll.dev/run": `${runId} newer` } },
      want: "skipped: ReadinessTimeout at 2026-11-19T11:43:00Z",
    },
    {
      name: "3.3 `retry` moves a workload with a failure annotation by its owner",
      workload: { ...failed(a, "new", runId), ...byKubectl("failed") },
      retried: forgiven,
      want: "pending #2",
    },
    {
      name: "3.1 an annotation of arrival by its owner is no evidence, and the workload is skipped",
      workload: { ...moving, annotations: saidArrived, ...byKubectl("arrived") },
      want: tellHand("arrived"),
    },
    {
      name: "5.5 `kubectl rollout undo`, which writes template and annotations of an older ReplicaSet, puts the label back",
      workload: undoneByKubectl,
      want:
        "skipped: Overwritten by kubectl: it changed /spec/template/metadata/labels/istio.io~1rev after meshroll wrote new; " +
        "what stops that: kubectl rollout undo, or a forced apply --server-side, brought an older template back: deploy a manifest that " +
        "names the revision",
    },
    {
      name: "5.5 what `kubectl rollout undo` put back is moved once a person asks for it",
      workload: undoneByKubectl,
      retried: forgiven,
      want: "pending #2",
    },
  ]);

  test.each([
    { key: "failed", value: "new ReadinessTimeout 2020-01-01T00:00:00Z" },
    { key: "arrived", value: `${runId} new` },
  ])("4.7 $key by another field manager on a move frees no place of the batch", ({ key, value }) => {
    const annotations = { ...moving.annotations, [`meshroll.dev/${key}`]: value };
    const times = { written: noon - 1000 };
    const ask = (by: object) => judgeOne({ workload: { ...moving, annotations, times, ...by } }).rolling;
    expect([ask(byKubectl(key)), ask({})]).toEqual([true, false]);
  });
});

describe("earlier attempts", () => {
  testWorkloadStates([
    {
      name: "3.1 an attempt for another target does not count for this one",
      workload: tried("newer"),
      want: "pending last",
    },
    { name: "3.3 `retry` allows another attempt", workload: tried("new"), retried: forgiven, want: "pending last #2" },
    {
      name: "2.3 a rollback tries a workload that another run tried and that is not back yet",
      workload: tried("newer"),
      isRollback: true,
      want: "pending",
    },
    {
      name: "2.3 a rollback does not try a workload that is back and as unhealthy as before",
      workload: { ...tried("old"), template: makeWorkload("shop/a", {}, "new").template },
      isRollback: true,
      want: "skipped: UnhealthyBefore: unhealthy before and after its one try",
    },
    {
      name: "3.3 with onWorkloadFailure: leave a failed workload is skipped, though our write stays",
      workload: leftAsFailed,
      settings: { onWorkloadFailure: "leave" },
      want: "skipped (shop/Deployment/a): ReadinessTimeout at 2026-11-19T11:43:00Z",
    },
    {
      name: "3.3 `retry` writes a failed workload again, with the next attempt number",
      workload: leftAsFailed,
      retried: forgiven,
      want: "pending #2",
    },
    {
      name: "4.2 attempt numbers continue from the last one written",
      workload: { ...a, annotations: { "meshroll.dev/run": `${runId} new #3` } },
      want: "pending #3",
    },
    {
      name: "2.3 another run's failure annotation does not hold a rollback",
      workload: failed(a, "new", "aaaaaaaaaaaa"),
      isRollback: true,
      want: "pending",
    },
    {
      name: "2.3 a rollback's own failure annotation skips the workload, and does not count as a failure",
      workload: failed(a, "new", runId),
      isRollback: true,
      want: "skipped: ReadinessTimeout at 2026-11-19T12:00:00Z",
    },
  ]);
});
