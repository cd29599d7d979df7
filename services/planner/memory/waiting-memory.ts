import {
  findWaitingAge,
  nameInFleet,
  parseNameInFleet,
  type Evaluation,
  evaluateFleet,
  type JudgedWorkload,
  type Snapshot,
} from "#libs/plan";

/** Since when each workload waits for its owner, by name in the fleet; the same map object while nothing in it changes. */
export interface WaitingMemory {
  waitingSince: ReadonlyMap<string, number>;
}

/** Finds a judged workload by its name in the fleet, `cluster:namespace/Kind/name`. */
function findJudged({ judged }: Evaluation, name: string): JudgedWorkload | undefined {
  const { cluster, workload } = parseNameInFleet(name);
  return judged.get(cluster)?.find(workload);
}

function nameJudged({ cluster, key }: JudgedWorkload): string {
  return nameInFleet(cluster, key);
}

/** `now`-time since when a workload waits that this planner did not see waiting before. */
function findSince({ clusters, now }: Snapshot, evaluation: Evaluation, name: string): number {
  const state = findJudged(evaluation, name);
  if (state === undefined) return now;
  return now - findWaitingAge(state, clusters.get(state.cluster)?.serverNow, now);
}

/** True if it waited for too long: it is skipped then, and its time is kept so that it does not start again. */
function isSkipped(state: JudgedWorkload | undefined): boolean {
  return state?.run !== undefined && state.state.kind === "skipped";
}

/**
 * Remembers since when each workload waits for its owner: after `readinessTimeout` it is skipped (rules 3.1). For a wait that
 * this planner did not see begin the objects say how old it is, so a restart resets nothing.
 */
export function rememberWaiting(memory: WaitingMemory, snapshot: Snapshot): void {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) return;
  const before = memory.waitingSince;
  const evaluation = evaluateFleet(snapshot, head);
  const names = [...evaluation.judged.values()].map((index) => index.collect("waiting", Infinity, nameJudged));
  const count = names.reduce((sum, each) => sum + each.length, 0);
  // The same workloads as before: the common case, without a new map.
  if (count === before.size && names.every((each) => each.every((name) => before.has(name)))) return;
  const waiting = new Map(
    names.flatMap((each) =>
      each.map((name) => [name, before.get(name) ?? findSince(snapshot, evaluation, name)] as const),
    ),
  );
  for (const [name, since] of before) {
    if (!waiting.has(name) && isSkipped(findJudged(evaluation, name))) waiting.set(name, since);
  }
  const isSame = waiting.size === before.size && [...waiting.keys()].every((name) => before.has(name));
  if (!isSame) memory.waitingSince = waiting;
}
