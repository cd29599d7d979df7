import type { ClusterSnapshot, Snapshot } from "#libs/plan";

import type { PlannerReconcile } from "../reconcile/planner.ts";

/** A cluster whose age grows on has published nothing since; its queue is asked at each reconcile. */
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

/** All of main that a status tells, but for its age. */
function printMain({ main }: Snapshot): string {
  return JSON.stringify([main.head, main.contained, main.vanished, main.points, main.unreadable?.size]);
}

/**
 * False when a status of this reconcile would say the same as one of the reconcile before, but for ages and times of day: describing a
 * fleet costs as much as deciding on it, and most looks of a run only wait. What counts down is described again by the
 * publisher's own rhythm.
 */
export function hasNews({ snapshot, decisions }: PlannerReconcile, before: PlannerReconcile | undefined): boolean {
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
