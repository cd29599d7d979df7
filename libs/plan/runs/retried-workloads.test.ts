import { applyChange, type VerbRequest, decide, isLedgerDecision, type LedgerState } from "#libs/plan";
import { failed, makeCluster, makeRun, makeWorkload, makeSnapshot, moved, runId, sha } from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const request: VerbRequest = {
  id: "v1",
  verb: "retry",
  scope: `run/${runId}`,
  strength: "move",
  who: "ana",
  why: "fixed",
  at: "2026-11-19T12:10:00Z",
};
const changes = [{ pattern: "production", from: "0", to: "100", direction: "forward" as const }];
const ofRun = (change: Parameters<typeof makeRun>[2]) =>
  openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { changes, ...change }) } });

/** The ledger after the request. */
function carryOut(verb: Partial<VerbRequest>, ledger: LedgerState, cluster: ReturnType<typeof makeCluster>) {
  const snapshot = makeSnapshot({ requests: [{ ...request, ...verb }], ledger, clusters: new Map([["one", cluster]]) });
  const [decision] = decide(snapshot);
  if (decision === undefined || !isLedgerDecision(decision)) throw new Error("a verb is recorded at once");
  return { ledger: applyChange(ledger, decision.change) };
}

describe("3.3 workloads that a retry covers", () => {
  const run = (text: string) => ({ "meshroll.dev/run": `${runId} ${text}` });
  const bare = { labels: {}, annotations: {}, hostNetwork: false };
  const cluster = makeCluster("one", [
    failed(makeWorkload("shop/b"), "new", runId),
    failed(makeWorkload("shop/elsewhere"), "newer", runId),
    makeWorkload("shop/unsigned", {
      annotations: { "meshroll.dev/failed": "new ReadinessTimeout 2026-11-19T12:00:00Z" },
    }),
    { ...failed(makeWorkload("shop/by-hand"), "new", runId), marksBy: { "meshroll.dev/failed": "helm" } },
    makeWorkload("shop/sick", { annotations: run("new UnhealthyBefore #2") }),
    makeWorkload("shop/sick-elsewhere", { annotations: run("newer UnhealthyBefore") }),
    makeWorkload("shop/unreadable", { annotations: { "meshroll.dev/run": "?" } }),
    { ...moved(makeWorkload("shop/taken"), "new", runId), template: makeWorkload("shop/taken").template },
    moved(makeWorkload("shop/trying"), "new", runId),
    moved(makeWorkload("shop/sick-trying"), "new", runId, { annotations: trying() }),
    makeWorkload("unit/a", { template: bare }),
    makeWorkload("unity/a"),
  ]);
  const unit = cluster.namespaces.get("unit");
  if (unit === undefined) throw new Error("no namespace");
  const annotations = { ...run("new"), "meshroll.dev/failed": "new ReadinessTimeout 2026-11-19T12:00:00Z" };
  const labels = { "istio.io/rev": "old" };
  const marked = { ...unit, namespace: { ...unit.namespace, annotations, labels } };
  const namespaces = new Map([...cluster.namespaces, ["unit", marked] as const]);
  const b = "one:shop/Deployment/b";
  const cases: readonly {
    readonly name: string;
    readonly workloads?: readonly string[];
    readonly state?: "done";
    readonly want: Readonly<Record<string, number>> | undefined;
  }[] = [
    {
      name: "all that failed, but none that its owner put back or that was unhealthy before",
      want: {
        [b]: 1,
        "one:shop/Deployment/by-hand": 1,
        "one:shop/Deployment/unsigned": 1,
        "one:unit/*": 1,
      },
    },
    { name: "a named workload, and no other", workloads: [b], want: { [b]: 1 } },
    {
      name: "a named workload that was unhealthy before: one more attempt",
      workloads: ["one:shop/Deployment/sick"],
      want: { "one:shop/Deployment/sick": 2 },
    },
    {
      name: "a named workload that its owner put back while the run is open",
      workloads: ["one:shop/Deployment/taken"],
      want: { "one:shop/Deployment/taken": 1 },
    },
    {
      name: "not one that its owner put back after the end: converge moves it",
      workloads: ["one:shop/Deployment/taken"],
      state: "done",
      want: undefined,
    },
    {
      name: "a namespace that moves as a unit, by any of its workloads",
      workloads: ["one:unit/Deployment/a"],
      want: { "one:unit/*": 1 },
    },
    {
      name: "a namespace alone: all that failed in it, and nothing else of it",
      workloads: ["one:shop/*"],
      want: { [b]: 1, "one:shop/Deployment/by-hand": 1, "one:shop/Deployment/unsigned": 1 },
    },
    { name: "not a namespace, by a workload of another", workloads: ["one:unity/Deployment/a"], want: undefined },
    {
      name: "no workload whose attempt is for another revision or not over",
      workloads: ["elsewhere", "sick-elsewhere", "unreadable", "trying", "sick-trying"].map(
        (name) => `one:shop/Deployment/${name}`,
      ),
      want: undefined,
    },
  ];
  test.each(cases)("3.3 $name", ({ workloads, state, want }) => {
    const verb = workloads === undefined ? {} : { workloads };
    const ledger = ofRun(state === undefined ? {} : { state, endedAt: "x" });
    expect(carryOut(verb, ledger, { ...cluster, namespaces }).ledger.runs[runId]?.retried).toEqual(want);
  });

  function trying(): Readonly<Record<string, string>> {
    const { annotations: written } = moved(makeWorkload("shop/x"), "new", runId);
    return { ...written, ...run("new UnhealthyBefore") };
  }
});
