import { findWaitingAge, nameInFleet, type Survey, surveyFleet, type WorkloadStanding, type World } from "#libs/plan";

/** Since when each workload waits for its owner; the same map for as long as nothing in it changes. */
export interface WaitingMemory {
  waitingSince: ReadonlyMap<string, number>;
}

/** Where a workload stands, by its name in the fleet: `cluster:namespace/Kind/name`. */
function findStanding({ judged }: Survey, name: string): WorkloadStanding | undefined {
  const cluster = name.slice(0, name.indexOf(":"));
  return judged.get(cluster)?.find(name.slice(cluster.length + 1));
}

function readName({ cluster, key }: WorkloadStanding): string {
  return nameInFleet(cluster, key);
}

/** `now`-time since when it waits, for a planner that sees it wait for the first time. */
function findSince({ clusters, now }: World, survey: Survey, name: string): number {
  const standing = findStanding(survey, name);
  if (standing === undefined) return now;
  return now - findWaitingAge(standing, clusters.get(standing.cluster)?.serverNow, now);
}

/** Waited for too long: it is aside, and does not begin to wait again. */
function hasWaited(standing: WorkloadStanding | undefined): boolean {
  return standing?.run !== undefined && standing.standing.kind === "aside";
}

/**
 * Remembers since when each workload waits for its owner: after `readinessTimeout` it goes aside (rules 3.1). What was not seen to
 * wait before has waited as long as the objects say: a restart begins nothing anew.
 */
export function rememberWaiting(memory: WaitingMemory, world: World): void {
  const head = world.specs.get(world.main.head);
  if (head === undefined) return;
  const before = memory.waitingSince;
  const survey = surveyFleet(world, head);
  const names = [...survey.judged.values()].map((index) => index.collect("waiting", Infinity, readName));
  const count = names.reduce((sum, each) => sum + each.length, 0);
  // The same ones as before, which is what nearly all looks find.
  if (count === before.size && names.every((each) => each.every((name) => before.has(name)))) return;
  const waiting = new Map(
    names.flatMap((each) => each.map((name) => [name, before.get(name) ?? findSince(world, survey, name)] as const)),
  );
  for (const [name, since] of before) {
    if (!waiting.has(name) && hasWaited(findStanding(survey, name))) waiting.set(name, since);
  }
  const isSame = waiting.size === before.size && [...waiting.keys()].every((name) => before.has(name));
  if (!isSame) memory.waitingSince = waiting;
}
