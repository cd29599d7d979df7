import { failed, makeCluster, makeLedger, makeRun, makeSnapshot, makeWorkload, runId, sha } from "#test/world/build";
import { describe, expect, test } from "vitest";

import type { Snapshot } from "../records/index.ts";
import { evaluateFleet } from "./evaluate-fleet.ts";
import { listFailed, listFailures } from "./failed-workloads.ts";

const failure = {
  "meshroll.dev/run": `${runId} new`,
  "meshroll.dev/failed": "new ReadinessTimeout 2026-11-19T12:00:00Z",
};

/** Two workloads of a namespace whose own label decides, undone together, and one that failed alone. */
function makeFailed(change: Partial<Snapshot> = {}): Snapshot {
  const labels = { "istio.io/rev": "old" };
  const unit = (name: string) => {
    const base = makeWorkload(name);
    return { ...base, template: { ...base.template, labels: {} } };
  };
  const cluster = makeCluster(
    "one",
    [unit("pay/a"), unit("pay/b"), failed(makeWorkload("shop/a"), "new", runId)],
    {},
    labels,
  );
  const pay = cluster.namespaces.get("pay");
  if (pay === undefined) throw new Error("pay is not there");
  const marked = { ...pay, namespace: { ...pay.namespace, annotations: failure } };
  const namespaces = new Map([...cluster.namespaces, ["pay", marked] as const]);
  return makeSnapshot({ clusters: new Map([["one", { ...cluster, namespaces }]]), ...change });
}

function see(snapshot: Snapshot) {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("main does not parse");
  const { judged, views } = evaluateFleet(snapshot, head);
  const names = listFailed(judged).map(({ cluster, workload, run }) => `${cluster}:${workload} ${run}`);
  return { names, views };
}

const all = ["pay/Deployment/a", "pay/Deployment/b", "shop/Deployment/a"].map((name) => `one:${name}`);

describe("3.3 failures", () => {
  test("are counted by workload, even if a namespace failed as a whole; a stop names the namespace", () => {
    const { names, views } = see(makeFailed());
    expect(names).toEqual(all.map((name) => `${name} ${runId}`));
    const [view] = views;
    if (view === undefined) throw new Error("no run is open");
    expect(listFailures(view, new Set())).toEqual({ workloads: all, objects: ["one:pay/*", "one:shop/Deployment/a"] });
    expect(listFailures(view, new Set(["one:pay/*"])).workloads).toEqual(all.slice(2));
    expect(listFailures(view, new Set(), []).workloads).toEqual([]);
  });

  test("are still listed when their run is over", () => {
    const [base, head] = [sha("base"), sha("head")];
    const run = makeRun(head, base, { state: "done", endedAt: "2026-11-19T12:30:00.000Z" });
    const ledger = makeLedger({ main: head, judged: head, runs: { [runId]: run } });
    expect(see(makeFailed({ ledger })).names).toHaveLength(3);
  });

  test("do not count after a retry, or if main wants the revision that runs", () => {
    const [base, head] = [sha("base"), sha("head")];
    const run = makeRun(head, base, { retried: { "one:pay/*": 1 } });
    const ledger = makeLedger({ main: head, judged: head, runs: { [runId]: run } });
    expect(see(makeFailed({ ledger })).names).toEqual([`one:shop/Deployment/a ${runId}`]);
    expect(see(makeFailed({ main: { ...makeFailed().main, head: base } })).names).toEqual([]);
  });
});
