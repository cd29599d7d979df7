import { createOwnership, judgeCluster } from "#libs/plan";
import { arrived, makeMigrated, failed, makeCluster, makeWorkload, moved, runId } from "#test/world/build";
import { openRunLedger, specsOf } from "#test/world/executor";
import { type JudgeQuestion, judgeOne, requireHead, workloadStates } from "#test/world/judge-one";
import { describe, expect, test } from "vitest";

const a = makeWorkload("shop/a");
const bare = { labels: {}, annotations: {}, hostNetwork: false };
const overwritten = {
  ...moved(a, "new", runId),
  template: a.template,
  revisionManager: { name: "helm", operation: "Apply" as const },
};
const sick = makeWorkload("shop/a", { available: 0, pods: [{ revision: "old", count: 2, ready: 0 }] });
const tried = (target: string) => ({
  ...sick,
  annotations: { "meshroll.dev/run": `${runId} ${target} UnhealthyBefore` },
});

describe("3.1 each workload is in exactly one class", () => {
  workloadStates([
    { name: "3.1 there", workload: makeMigrated(a, "new", runId), want: "migrated" },
    {
      name: "3.1 there, though pods are missing: what is not ours need not arrive",
      workload: makeWorkload("shop/a", { available: 1 }, "new"),
      want: "migrated",
    },
    { name: "3.1 due", workload: a, want: "pending" },
    { name: "3.1 due at the end: unhealthy before", workload: sick, want: "pending last" },
    { name: "3.1 moving", workload: moved(a, "new", runId), want: "migrating NotObserved" },
    {
      name: "3.1 moving until it arrived: a label alone is nothing",
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
      name: "3.1 a partition is waited for as long as a pause",
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
      name: "3.1 a budget that allows nothing because its pods are down already does not count",
      workload: { ...sick, disruptionsAllowed: 0 },
      want: "pending last",
    },
    {
      name: "3.1 that is no reason to disturb a pause",
      workload: { ...sick, paused: true },
      want: "waiting PausedByOwner",
    },
    {
      name: "3.4 without replicas there is nothing that a budget could protect",
      workload: makeWorkload("shop/a", { replicas: 0, disruptionsAllowed: 0 }),
      want: "pending",
    },
    {
      name: "3.1 waiting goes skipped after readinessTimeout",
      workload: { ...a, paused: true },
      waitedMs: 300_000,
      want: "skipped: its owner paused its rollouts (spec.paused), for too long",
    },
    { name: "3.1 and not before", workload: { ...a, paused: true }, waitedMs: 299_999, want: "waiting PausedByOwner" },
    {
      name: "3.1 skipped: failed",
      workload: failed(a, "new", runId),
      want: "skipped (shop/Deployment/a): ReadinessTimeout at 2026-11-19T12:00:00Z",
    },
    {
      name: "3.3 skipped, but not as this run's failure: another run's mark",
      workload: failed(a, "new", "aaaaaaaaaaaa"),
      want: "skipped: ReadinessTimeout at 2026-11-19T12:00:00Z",
    },
    { name: "3.3 a mark for another revision is no failure", workload: failed(a, "newer", runId), want: "pending" },
    {
      name: "3.1 skipped: excluded by its owner",
      workload: { ...a, annotations: { "meshroll.dev/opt-out": "black friday" } },
      want: "skipped: the workload has meshroll.dev/opt-out: black friday",
    },
    {
      name: "3.1 skipped: refused",
      workload: { ...a, onDelete: true },
      want: "skipped: its updateStrategy is OnDelete: no write restarts it; set RollingUpdate",
    },
    {
      name: "5.5 skipped: overwritten by its owner, by name and with the path of the rule that fixes it",
      workload: overwritten,
      want:
        "skipped: Overwritten by helm: it changed /spec/template/metadata/labels/istio.io~1rev after meshroll wrote new; " +
        "configure it to ignore that path",
    },
    {
      name: "3.1 skipped: unhealthy before and after its one try",
      workload: tried("new"),
      want: "skipped: UnhealthyBefore: unhealthy before and after its one try",
    },
    {
      name: "6.1 a cluster that is skipped gives up what runs ask of it",
      workload: a,
      settings: { excludedClusters: ["one"] },
      want: "skipped: ClusterExcluded: meshroll.yml says clusters.one.excluded",
    },
    {
      name: "6.1 what no run wants there stays drift",
      workload: a,
      settings: { excludedClusters: ["one"] },
      isDrift: true,
      want: "pending",
    },
    {
      name: "3.4 0 replicas whose label resolves to the target: idle, which proves nothing",
      workload: makeWorkload("shop/a", { replicas: 0, pods: [] }, "new"),
      want: "idle",
    },
    {
      name: "outside the mesh it belongs to no run",
      workload: makeWorkload("shop/a", { template: bare, pods: [{ count: 2, ready: 2 }] }),
      want: "unmanaged",
    },
  ]);
});

describe("what takes a place of the batch", () => {
  const undone = { ...failed(a, "new", runId), updated: 1, pods: [{ revision: "new", count: 1, ready: 0 }] };
  const at = 1_795_089_600_000; // 2026-11-19T12:00:00Z, when it was marked
  const cases: readonly { readonly name: string; readonly question: JudgeQuestion; readonly want: boolean }[] = [
    { name: "4.2 a move", question: { workload: moved(a, "new", runId) }, want: true },
    { name: "4.2 nothing at rest", question: { workload: a }, want: false },
    { name: "4.2 an undo that rolls stays in it", question: { workload: undone, now: at + 1000 }, want: true },
    { name: "4.2 and no longer", question: { workload: undone, now: at + 900_000 }, want: false },
    {
      name: "4.2 what was overwritten by its owner rolls, too",
      question: { workload: { ...undone, annotations: { "meshroll.dev/run": `${runId} new` } } },
      want: true,
    },
    {
      name: "4.2 but not one that was sick before: it may never settle",
      question: { workload: { ...undone, annotations: tried("new").annotations } },
      want: false,
    },
    {
      name: "4.2 a move that head does not demand any more still rolls",
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

test("3.1 what arrived once stays there though a node takes its pods away, what never did has not", () => {
  const lost = { ...makeMigrated(a, "new", runId), available: 1 };
  expect(judgeOne({ workload: { ...lost, rolledOut: true } }).state.kind).toBe("migrated");
  expect(judgeOne({ workload: lost }).state.kind).toBe("migrating");
  const known = arrived({ ...lost, observedGeneration: 1, pods: [{ count: 1, ready: 0 }] });
  expect(judgeOne({ workload: known }).state.kind).toBe("migrated");
  expect(judgeOne({ workload: { ...lost, rolledOut: true, observedGeneration: 1 } }).state.kind).toBe("migrating");
});
