import type { ClusterSnapshot, Snapshot } from "#libs/plan";

import type { ReconcileResult } from "../reconcile/planner.ts";

/**
 * A cluster whose age only grew has published nothing since; its queue is read at each reconcile, so the batch is compared too.
 */
function isSameCluster(one: ClusterSnapshot, before: ClusterSnapshot | undefined): boolean {
  return (
    before !== undefined &&
    one.facts === before.facts &&
    one.ageMs > before.ageMs &&
    one.fresh === before.fresh &&
    one.servedFor === before.servedFor &&
    JSON.stringify(one.batch) === JSON.stringify(before.batch)
  );
}

function areSameClusters(some: Snapshot["clusters"], before: Snapshot["clusters"]): boolean {
  return some.size === before.size && [...some].every(([name, one]) => isSameCluster(one, before.get(name)));
}

/** What a status shows of main, without its age. */
function printMain({ main }: Snapshot): string {
  return JSON.stringify([main.head, main.contained, main.vanished, main.points, main.unreadable?.size]);
}

/**
 * False when the status of this reconcile would differ from the last one only in ages and times: describing a fleet costs as
 * much as deciding on it, and most reconciles of a run only wait. Countdowns are refreshed by the publisher's interval.
 */
export function hasNews({ snapshot, decisions }: ReconcileResult, before: ReconcileResult | undefined): boolean {
  if (before === undefined) return true;
  const { snapshot: last } = before;
  return !(
    snapshot.ledger === last.ledger &&
    snapshot.specs.size === last.specs.size &&
    snapshot.pulls === last.pulls &&
    snapshot.queueUp === last.queueUp &&
    snapshot.requests.map(({ id }) => id).join() === last.requests.map(({ id }) => id).join() &&
    areSameClusters(snapshot.clusters, last.clusters) &&
    printMain(snapshot) === printMain(last) &&
    JSON.stringify(decisions) === JSON.stringify(before.decisions)
  );
}
