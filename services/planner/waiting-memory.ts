import { nameInFleet, surveyFleet, type World } from "#libs/plan";

/**
 * Remembers since when each workload waits for its owner, as far as this planner saw: after `readinessTimeout` it goes
 * aside (rules 3.1). A planner that starts anew waits longer, never shorter.
 */
export function rememberWaiting(waitingSince: Map<string, number>, world: World): void {
  const head = world.specs.get(world.main.head);
  if (head === undefined) return;
  const waiting = new Set<string>();
  for (const each of [...surveyFleet(world, head).judged.values()].flat()) {
    const key = nameInFleet(each.cluster, each.key);
    const isStillWaiting =
      each.standing.kind === "blocked" || (each.standing.kind === "aside" && waitingSince.has(key));
    if (!isStillWaiting || each.run === undefined) continue;
    waiting.add(key);
    if (!waitingSince.has(key)) waitingSince.set(key, world.now);
  }
  for (const key of waitingSince.keys()) if (!waiting.has(key)) waitingSince.delete(key);
}
