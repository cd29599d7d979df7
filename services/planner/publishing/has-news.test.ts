import type { ClusterSnapshot, Decision, Snapshot } from "#libs/plan";
import { makeCluster, makeLedger, makeStop, makeWorkload, makeSnapshot, sha } from "#test/world/build";
import { expect, it } from "vitest";

import type { ReconcileResult } from "../reconcile/planner.ts";
import { hasNews } from "./has-news.ts";

const one = makeCluster("one", [makeWorkload("shop/web")], { ageMs: 3000 });
const waits: Decision = {
  kind: "wait",
  scope: "all",
  reason: { code: "Stopped", stop: makeStop({ id: "p", scope: "all" }) },
};

const ledger = makeLedger();
const withCluster = (cluster: ClusterSnapshot, change: Partial<Snapshot> = {}): Snapshot =>
  makeSnapshot({ ledger, clusters: new Map([["one", cluster]]), ...change });
const before: ReconcileResult = { snapshot: withCluster(one), decisions: [waits] };

/** One second later, with no other change. */
const later = { ...one, ageMs: 4000 };
const batch = { run: "r", commit: sha("head"), state: "active", workloads: ["shop/Deployment/web"] } as const;
const main = { ...before.snapshot.main, ageMs: 1000 };

const cases: readonly { readonly name: string; readonly reconcile: ReconcileResult; readonly want: boolean }[] = [
  {
    name: "only time passed, and main was read again",
    reconcile: { snapshot: withCluster(later, { now: before.snapshot.now + 1000, main }), decisions: [{ ...waits }] },
    want: false,
  },
  { name: "a wait is over", reconcile: { snapshot: withCluster(later), decisions: [] }, want: true },
  {
    name: "the ledger has a transition more",
    reconcile: { snapshot: withCluster(later, { ledger: makeLedger({ sequence: 2 }) }), decisions: [waits] },
    want: true,
  },
  {
    name: "main has another head",
    reconcile: { snapshot: withCluster(later, { main: { ...main, head: sha("next") } }), decisions: [waits] },
    want: true,
  },
  {
    name: "a cluster published",
    reconcile: { snapshot: withCluster({ ...one, ageMs: 0 }), decisions: [waits] },
    want: true,
  },
  {
    name: "a cluster is not fresh any more",
    reconcile: { snapshot: withCluster({ ...later, fresh: false }), decisions: [waits] },
    want: true,
  },
  {
    name: "a batch is under way",
    reconcile: { snapshot: withCluster({ ...later, batch }), decisions: [waits] },
    want: true,
  },
  {
    name: "a cluster was added",
    reconcile: {
      snapshot: makeSnapshot({ ledger, clusters: new Map([["one", later], ["two", makeCluster("two", [])]]) }), // prettier-ignore
      decisions: [waits],
    },
    want: true,
  },
  {
    name: "Redis is gone",
    reconcile: { snapshot: withCluster(later, { queueUp: false }), decisions: [waits] },
    want: true,
  },
];

it.each(cases)("$name: $want", ({ reconcile, want }) => expect(hasNews(reconcile, before)).toBe(want));

it("the first reconcile is news", () => expect(hasNews(before, undefined)).toBe(true));
