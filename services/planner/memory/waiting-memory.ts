import {
  findWaitingAge,
  nameInFleet,
  parseNameInFleet,
  type Evaluation,
  evaluateFleet,
  type JudgedWorkload,
  type Snapshot,
} from "#libs/plan";

/** Since when each workload waits for its owner; the same map for as long as nothing in it changes. */
export interface WaitingMemory {
  waitingSince: ReadonlyMap<string, number>;
}

/** Where a workload stands, by its name in the fleet: `cluster:namespace/Kind/name`. */
function findPosted({ judged }: Evaluation, name: string): JudgedWorkload | undefined {
  const { cluster, workload } = parseNameInFleet(name);
  return judged.get(cluster)?.find(workload);
}

function readName({ cluster, key }: JudgedWorkload): string {
  return nameInFleet(cluster, key);
}

/** `now`-time since when it waits, for a planner that sees it wait for the first time. */
function findSince({ clusters, now }: Snapshot, evaluation: Evaluation, name: string): number {
  const state = findPosted(evaluation, name);
  if (state === undefined) return now;
  return now - findWaitingAge(state, clusters.get(state.cluster)?.serverNow, now);
}

/** Waited for too long: it is skipped, and does not begin to wait again. */
function hasWaited(state: JudgedWorkload | undefined): boolean {
  return state?.run !== undefined && state.state.kind === "skipped";
}

/**
 * Remembers since when each workload waits for its owner: after `readinessTimeout` it goes skipped (rules 3.1). What was not seen to
 * wait before has waited as long as the objects say: a restart resets nothing.
 */
export function rememberWaiting(memory: WaitingMemory, snapshot: Snapshot): void {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) return;
  const before = memory.waitingSince;
  const evaluation = evaluateFleet(snapshot, head);
  const names = [...evaluation.judged.values()].map((index) => index.collect("waiting", Infinity, readName));
  const count = names.reduce((sum, each) => sum + each.length, 0);
  // The same ones as before, which is what nearly all reconciles find.
  if (count === before.size && names.every((each) => each.every((name) => before.has(name)))) return;
  const waiting = new Map(
    names.flatMap((each) =>
      each.map((name) => [name, before.get(name) ?? findSince(snapshot, evaluation, name)] as const),
    ),
  );
  for (const [name, since] of before) {
    if (!waiting.has(name) && hasWaited(findPosted(evaluation, name))) waiting.set(name, since);
  }
  const isSame = waiting.size === before.size && [...waiting.keys()].every((name) => before.has(name));
  if (!isSame) memory.waitingSince = waiting;
}
