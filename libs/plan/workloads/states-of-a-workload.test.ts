import { createOwnership, judgeCluster } from "#libs/plan";
import { arrived, makeMigrated, failed, makeCluster, makeWorkload, moved, runId } from "#test/world/build";
import { openRunLedger, specsOf } from "#test/world/executor";
import { type JudgeQuestion, judgeOne, requireHead, testWorkloadStates } from "#test/world/judge-one";
import { describe, expect, test } from "vitest";

const a = makeWorkload("shop/a");
const bare = { labels: {}, annotations: {}, hostNetwork: false };
const overwritten = {
  ...moved(a, "new", runId),
  template: a.template,
  revisionManager: { name: "helm", operation: "Apply" as const },
};
const onNew = { observedGeneration: 3, pods: [{ revision: "new", count: 2, ready: 2 }] };
const sick = makeWorkload("shop/a", { available: 0, pods: [{ revision: "old", count: 2, ready: 0 }] });
const tried = (target: string) => ({
  ...sick,
  annotations: { "meshroll.dev/run": `${runId} ${target} UnhealthyBefore` },
});

describe("3.1 each workload is in exactly one class", () => {
  testWorkloadStates([
    { name: "3.1 migrated by a run", workload: makeMigrated(a, "new", runId), want: "migrated" },
    {
      name: "3.1 migrated by its owner, though pods are missing",
      workload: makeWorkload("shop/a", { available: 1 }, "new"),
      want: "migrated",
    },
    {
      name: "11.1 migrated: its owner put the old label back, the admission policy gives its pods the target, and they run it",
      workload: { ...overwritten, ...onNew, admitted: "new" },
      want: "migrated",
    },
    {
      name: "11.1 the same without the policy, or without the map: the label counts",
      workload: { ...overwritten, ...onNew },
      want:
        "skipped: Overwritten by helm: it changed /spec/template/metadata/labels/istio.io~1rev after meshroll wrote new; " +
        "what stops that: in Helm: the chart's value that sets the label, or meshroll mutate on what the chart renders",
    },
    {
      name: "11.1 the policy alone moves nothing: its pods run the old revision still",
      workload: { ...a, admitted: "new" },
      want: "pending",
    },
    {
      name: "11.1 idle: it has no pods, and the policy gives the next one the target",
      workload: makeWorkload("shop/a", { replicas: 0, pods: [], admitted: "new" }),
      want: "idle",
    },
    {
      name: "11.1 in a rollback the map labels for a while only: the template's own label counts",
      workload: { ...a, ...onNew, admitted: "new" },
      isRollback: true,
      want: "pending",
    },
    {
      name: "11.2 migrated: it has no label, the policy gives its pods the target, and they run it",
      workload: { ...a, ...onNew, template: bare, admitted: "new" },
      namespaceLabels: { "meshroll.dev/inject": "enabled" },
      isRollback: true,
      want: "migrated",
    },
    {
      name: "11.2 pending: it has no label, and its pods run another revision",
      workload: { ...a, template: bare, admitted: "old" },
      namespaceLabels: { "meshroll.dev/inject": "enabled" },
      want: "pending",
    },
    { name: "3.1 pending", workload: a, want: "pending" },
    { name: "3.1 pending last: unhealthy before", workload: sick, want: "pending last" },
    { name: "3.1 migrating: not observed yet", workload: moved(a, "new", runId), want: "migrating NotObserved" },
    {
      name: "3.1 migrating until it is available, though the pods have the label",
      workload: { ...makeMigrated(a, "new", runId), available: 1 },
      want: "migrating NotAvailable",
    },
    { name: "3.1 waiting: paused by its owner", workload: { ...a, paused: true }, want: "waiting PausedByOwner" },
    {
      name: "3.1 waiting: its owner holds pods back by a partition",
      workload: { ...a, partition: 2 },
      want: "waiting Partitioned",
    },
    {
      name: "3.1 waiting: its owner holds pods back by a partition since our write",
      workload: { ...moved(a, "new", runId), partition: 2 },
      want: "waiting Partitioned",
    },
    {
      name: "3.1 skipped after waiting for a partition as long as for a pause",
      workload: { ...a, partition: 2 },
      waitedMs: 300_000,
      want: "skipped: its owner keeps pods below ordinal 2 as they are (updateStrategy.rollingUpdate.partition), for too long",
    },
    {
      name: "3.1 waiting: its owner rolls it out",
      workload: { ...a, updated: 1 },
      want: "waiting OwnerRollout",
    },
    {
      name: "3.1 waiting: its budget allows nothing",
      workload: { ...a, disruptionsAllowed: 0 },
      want: "waiting BudgetAllowsNothing",
    },
    {
      name: "3.1 a budget that allows nothing because its pods are down does not count",
      workload: { ...sick, disruptionsAllowed: 0 },
      want: "pending last",
    },
    {
      name: "3.1 waiting for a pause, though its pods are down",
      workload: { ...sick, paused: true },
      want: "waiting PausedByOwner",
    },
    {
      name: "3.4 without replicas a budget does not count",
      workload: makeWorkload("shop/a", { replicas: 0, disruptionsAllowed: 0 }),
      want: "pending",
    },
    {
      name: "3.1 skipped after waiting for readinessTimeout",
      workload: { ...a, paused: true },
      waitedMs: 300_000,
      want: "skipped: its owner paused its rollouts (spec.paused), for too long",
    },
    {
      name: "3.1 waiting before readinessTimeout is over",
      workload: { ...a, paused: true },
      waitedMs: 299_999,
      want: "waiting PausedByOwner",
    },
    {
      name: "3.1 skipped: failed",
      workload: failed(a, "new", runId),
      want: "skipped (shop/Deployment/a): ReadinessTimeout at 2026-11-19T12:00:00Z",
    },
    {
      name: "3.3 skipped for another run's failure, which does not count in this run",
      workload: failed(a, "new", "aaaaaaaaaaaa"),
      want: "skipped: ReadinessTimeout at 2026-11-19T12:00:00Z",
    },
    {
      name: "3.3 pending with a failure annotation for another revision",
      workload: failed(a, "newer", runId),
      want: "pending",
    },
    {
      name: "3.1 skipped: excluded by its owner",
      workload: { ...a, annotations: { "meshroll.dev/opt-out": "black friday" } },
      want: "skipped: the workload has meshroll.dev/opt-out: black friday",
    },
    {
      name: "3.1 skipped: a strategy that meshroll refuses",
      workload: { ...a, onDelete: true },
      want: "skipped: its updateStrategy is OnDelete: no write restarts it; set RollingUpdate",
    },
    {
      name: "5.5 skipped: overwritten by its owner, named with the path of the rule that fixes it",
      workload: overwritten,
      want:
        "skipped: Overwritten by helm: it changed /spec/template/metadata/labels/istio.io~1rev after meshroll wrote new; " +
        "what stops that: in Helm: the chart's value that sets the label, or meshroll mutate on what the chart renders",
    },
    {
      name: "3.1 skipped: unhealthy before and after its one attempt",
      workload: tried("new"),
      want: "skipped: UnhealthyBefore: unhealthy before and after its one try",
    },
    {
      name: "6.1 skipped: its cluster is excluded",
      workload: a,
      settings: { excludedClusters: ["one"] },
      want: "skipped: ClusterExcluded: meshroll.yml says clusters.one.excluded",
    },
    {
      name: "6.1 drift in an excluded cluster stays pending",
      workload: a,
      settings: { excludedClusters: ["one"] },
      isDrift: true,
      want: "pending",
    },
    {
      name: "3.4 idle: 0 replicas with the target's label",
      workload: makeWorkload("shop/a", { replicas: 0, pods: [] }, "new"),
      want: "idle",
    },
    {
      name: "unmanaged: outside the mesh",
      workload: makeWorkload("shop/a", { template: bare, pods: [{ count: 2, ready: 2 }] }),
      want: "unmanaged",
    },
  ]);
});

describe("which workloads take a place of the batch", () => {
  const undone = { ...failed(a, "new", runId), updated: 1, pods: [{ revision: "new", count: 1, ready: 0 }] };
  const at = 1_795_089_600_000; // 2026-11-19T12:00:00Z, when it was marked
  const cases: readonly { readonly name: string; readonly question: JudgeQuestion; readonly want: boolean }[] = [
    { name: "4.2 a move", question: { workload: moved(a, "new", runId) }, want: true },
    { name: "4.2 none that is at rest", question: { workload: a }, want: false },
    { name: "4.2 an undo that rolls", question: { workload: undone, now: at + 1000 }, want: true },
    {
      name: "4.2 none whose undo rolls for longer than readinessTimeout",
      question: { workload: undone, now: at + 900_000 },
      want: false,
    },
    {
      name: "4.2 one that rolls since its owner overwrote it",
      question: { workload: { ...undone, annotations: { "meshroll.dev/run": `${runId} new` } } },
      want: true,
    },
    {
      name: "4.2 none that was unhealthy before, because it may never settle",
      question: { workload: { ...undone, annotations: tried("new").annotations } },
      want: false,
    },
    {
      name: "4.2 a move that main no longer wants",
      question: { workload: { ...moved(a, "new", runId), updated: 1 }, percentNew: 0 },
      want: true,
    },
  ];
  test.each(cases)("$name", ({ question, want }) => {
    expect(judgeOne(question).rolling).toBe(want);
  });

  test("4.2 the time of an undo is judged again at each reconcile, also for a target that main no longer wants", () => {
    const specs = specsOf(0);
    const head = requireHead(specs);
    const cluster = makeCluster("one", [undone]);
    const ownerOf = createOwnership(head, openRunLedger(), specs);
    const reconcile = (now: number) =>
      judgeCluster({ cluster, head, ownerOf, now, waitingSince: new Map() })[0]?.rolling;
    expect([reconcile(at + 1000), reconcile(at + 1_500_000)]).toEqual([true, false]);
  });
});

test("3.1 a workload that migrated once stays migrated when a node takes its pods away; one that never did is not", () => {
  const lost = { ...makeMigrated(a, "new", runId), available: 1 };
  expect(judgeOne({ workload: { ...lost, rolledOut: true } }).state.kind).toBe("migrated");
  expect(judgeOne({ workload: lost }).state.kind).toBe("migrating");
  const known = arrived({ ...lost, observedGeneration: 1, pods: [{ count: 1, ready: 0 }] });
  expect(judgeOne({ workload: known }).state.kind).toBe("migrated");
  expect(judgeOne({ workload: { ...lost, rolledOut: true, observedGeneration: 1 } }).state.kind).toBe("migrating");
});
