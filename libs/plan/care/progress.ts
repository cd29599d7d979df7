import { countSteps, findAge, findProgressAt, markKeys, measureProgress } from "#libs/fleet";

import type { Standings } from "../cluster-index.ts";
import { parseTime } from "../iso-time.ts";
import type { WorkloadStanding } from "../standing.ts";
import type { ClusterWorld } from "../world.ts";

/**
 * By `namespace/Kind/name`: what this executor saw of moving workloads. A new executor takes the time of the last progress from
 * the objects (`findProgressAt`): a restart begins no limit anew.
 */
export type ProgressMemory = Map<string, Progress>;

export interface Progress {
  /** Which move it is: the run's mark and the template's generation. Another one starts from nothing. */
  readonly move: string;
  readonly resourceVersion: string;
  /** The highest measure so far, and when it was reached (`elapsed`). */
  readonly best: number;
  readonly bestAt: number;
  /** Since when no fact of the workload changed, real monotonic ms: two watches lag in real time (rules 12.1). */
  readonly quietSince: number;
}

/** The moment of a look. */
export interface LookTimes {
  readonly now: number;
  /** Ms of `now`-time that goes on evenly however the machine's clock is set; absent = `now` does. */
  readonly elapsed?: number;
  /** Real monotonic ms. */
  readonly monotonic: number;
}

/** A machine's clock that is set forward must not make a failure of what rolls well. */
export function readElapsed({ elapsed, now }: LookTimes): number {
  return elapsed ?? now;
}

/** Pods change without the workload's resourceVersion: both together are "a fact changed". */
function nameFacts({ workload }: WorkloadStanding): string {
  const pods = workload.pods.map((group) => `${group.revision ?? "-"}:${group.count}:${group.ready}`);
  return `${workload.resourceVersion} ${pods.join(",")}`;
}

/** For how long its run, or its rollback, has asked for it, ms; 0 where no run does. */
function findAskedAge({ returnSince, run }: WorkloadStanding, now: number): number {
  const askedAt = returnSince ?? run?.startedAt;
  return askedAt === undefined ? 0 : Math.max(0, now - parseTime(askedAt));
}

/**
 * How long ago it made progress last, ms, for a process that has not seen it move before: by its API server's own clock, and no
 * longer than its run, or its rollback, asks for it. 0 where the server tells nothing.
 */
function findProgressAge(each: WorkloadStanding, serverNow: number | undefined, now: number): number {
  const at = findProgressAt(each.workload);
  return at === undefined || serverNow === undefined ? 0 : Math.min(findAge(at, serverNow), findAskedAge(each, now));
}

/**
 * Our write is older than all its steps may take, each of them `limit` ms: for pods that become ready and unready again under an
 * executor that is restarted meanwhile, whose last change of the status is no progress. False where the server tells nothing.
 */
export function isOverdue(
  each: WorkloadStanding,
  { serverNow, now }: { readonly serverNow: number | undefined; readonly now: number },
  limit: number,
): boolean {
  const { written } = each.workload.times ?? {};
  if (written === undefined || serverNow === undefined) return false;
  return Math.min(findAge(written, serverNow), findAskedAge(each, now)) >= (countSteps(each.workload) + 1) * limit;
}

/** What is known of one workload's move after this look. */
function noteMove(
  known: Progress | undefined,
  each: WorkloadStanding,
  times: LookTimes,
  serverNow: number | undefined,
): Progress {
  const { now, monotonic } = times;
  const move = `${each.workload.annotations[markKeys.run] ?? ""} ${each.workload.generation}`;
  const before = known?.move === move ? known : undefined;
  const measure = measureProgress(each.workload);
  const resourceVersion = nameFacts(each);
  const quietSince = before?.resourceVersion === resourceVersion ? before.quietSince : monotonic;
  const isBetter = before === undefined || measure > before.best;
  if (!isBetter) return { move, resourceVersion, quietSince, best: before.best, bestAt: before.bestAt };
  const age = before === undefined ? findProgressAge(each, serverNow, now) : 0;
  return { move, resourceVersion, quietSince, best: measure, bestAt: readElapsed(times) - age };
}

/** What it is read off: the cluster, and where its workloads stand. */
interface ProgressSight {
  readonly cluster: Pick<ClusterWorld, "serverNow">;
  readonly judged: Standings;
}

/** Notes the progress of all that moves, and forgets the rest. */
export function noteProgress(memory: ProgressMemory, { cluster, judged }: ProgressSight, times: LookTimes): void {
  const moving = [...judged.list("rolling")].filter((each) => each.standing.kind === "moving");
  const keys = new Set(moving.map((each) => each.key));
  for (const key of memory.keys()) if (!keys.has(key)) memory.delete(key);
  for (const each of moving) memory.set(each.key, noteMove(memory.get(each.key), each, times, cluster.serverNow));
}
