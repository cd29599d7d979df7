import type { ClusterWorld, World } from "#libs/plan";

import type { PlannerLook } from "../planner.ts";

/** A cluster whose age grows on has published nothing since; its queue is asked at each look. */
function isSameCluster(one: ClusterWorld, before: ClusterWorld | undefined): boolean {
  return (
    before !== undefined &&
    one.facts === before.facts &&
    one.ageMs > before.ageMs &&
    one.fresh === before.fresh &&
    one.servedFor === before.servedFor &&
    JSON.stringify(one.batch) === JSON.stringify(before.batch)
  );
}

function areSameClusters(some: World["clusters"], before: World["clusters"]): boolean {
  return some.size === before.size && [...some].every(([name, one]) => isSameCluster(one, before.get(name)));
}

/** All of main that a status tells, but for its age. */
function printMain({ main }: World): string {
  return JSON.stringify([main.head, main.contained, main.vanished, main.points, main.foreign, main.unreadable?.size]);
}

/**
 * False when a status of this look would say the same as one of the look before, but for ages and times of day: describing a
 * fleet costs as much as deciding on it, and most looks of a run only wait. What counts down is described again by the
 * publisher's own rhythm.
 */
export function hasNews({ world, decisions }: PlannerLook, before: PlannerLook | undefined): boolean {
  if (before === undefined) return true;
  const { world: last } = before;
  return !(
    world.ledger === last.ledger &&
    world.specs.size === last.specs.size &&
    world.pulls === last.pulls &&
    world.queueUp === last.queueUp &&
    world.asks.map(({ id }) => id).join() === last.asks.map(({ id }) => id).join() &&
    areSameClusters(world.clusters, last.clusters) &&
    printMain(world) === printMain(last) &&
    JSON.stringify(decisions) === JSON.stringify(before.decisions)
  );
}
