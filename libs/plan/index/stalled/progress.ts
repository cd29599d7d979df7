import { countSteps, findAge, findProgressAt, annotationKeys, measureProgress } from "#libs/fleet";
import { resolveTarget } from "#libs/injection";

import { type ClusterSnapshot, parseTime } from "../../records/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import type { JudgedWorkloads } from "../cluster-index.ts";

/**
 * By `namespace/Kind/name`: what this executor saw of moving workloads. A new executor takes the time of the last progress from
 * the objects (`findProgressAt`): a restart starts no limit again.
 */
export type ProgressMemory = ReadonlyMap<string, Progress>;

export interface Progress {
  /** Which move it is: the run's mark. What others write to the object meanwhile, an autoscaler's replicas too, changes no move. */
  readonly move: string;
  readonly resourceVersion: string;
  /** The highest measure so far, and when it was reached (`elapsed`). */
  readonly best: number;
  readonly bestAt: number;
  /** Since when no fact of the workload changed, real monotonic ms: two watches lag in real time (rules 12.1). */
  readonly quietSince: number;
}

/** The moment of a reconcile. */
export interface ReconcileTimes {
  readonly now: number;
  /** Ms of `now`-time that goes on evenly however the machine's clock is set; absent = `now` does. */
  readonly elapsed?: number;
  /** Real monotonic ms. */
  readonly monotonic: number;
}

/** A machine's clock that is set forward must not make a failure of what rolls well. */
export function readElapsed({ elapsed, now }: ReconcileTimes): number {
  return elapsed ?? now;
}

/** Pods change without the workload's resourceVersion: both together are "a fact changed". */
function nameFacts({ workload }: JudgedWorkload): string {
  const pods = workload.pods.map((group) => `${group.revision ?? "-"}:${group.count}:${group.ready}`);
  return `${workload.resourceVersion} ${pods.join(",")}`;
}

/** For how long its run, or its rollback, has asked for it, ms; 0 where no run does. */
function findAskedAge({ rollbackSince, run }: JudgedWorkload, now: number): number {
  const askedAt = rollbackSince ?? run?.startedAt;
  return askedAt === undefined ? 0 : Math.max(0, now - parseTime(askedAt));
}

/**
 * Its rollout was through while it had 0 replicas, and its first pods start now, each of them on the target: it may have been idle for
 * days, and none of that time is a wait for it. A DaemonSet does not report whether its rollout was through.
 */
function isWaking({ workload: { kind, rolledOut, pods } }: JudgedWorkload, target: string): boolean {
  const wasThrough = rolledOut === true || kind === "DaemonSet";
  return wasThrough && pods.every(({ count, revision }) => count === 0 || revision === target);
}

/**
 * How long ago it made progress last, ms, for a process that has not seen it move before: by its API server's own clock, and no
 * longer than its run, or its rollback, asks for it. 0 where the server says nothing.
 */
function findProgressAge(
  each: JudgedWorkload,
  { serverNow, now, target }: { readonly serverNow: number | undefined; readonly now: number; readonly target: string },
): number {
  const at = isWaking(each, target) ? undefined : findProgressAt(each.workload);
  return at === undefined || serverNow === undefined ? 0 : Math.min(findAge(at, serverNow), findAskedAge(each, now));
}

/**
 * Our write is older than all its steps may take, each of them `limit` ms: for pods that become ready and unready again under an
 * executor that is restarted meanwhile, whose last change of the status is no progress. False where the server says nothing.
 */
export function isOverdue(
  each: JudgedWorkload,
  { serverNow, now, target }: { readonly serverNow: number | undefined; readonly now: number; readonly target: string },
  limit: number,
): boolean {
  const { written } = each.workload.times ?? {};
  if (written === undefined || serverNow === undefined || isWaking(each, target)) return false;
  return Math.min(findAge(written, serverNow), findAskedAge(each, now)) >= (countSteps(each.workload) + 1) * limit;
}

function nameMove({ workload }: JudgedWorkload): string {
  return workload.annotations[annotationKeys.run] ?? "";
}

/** What is known of one workload's move after this reconcile. */
function noteMove(
  known: Progress | undefined,
  each: JudgedWorkload,
  times: ReconcileTimes,
  { serverNow, facts }: ProgressInput["cluster"],
): Progress {
  const { now, monotonic } = times;
  const target = resolveTarget(facts, each.desired);
  const move = nameMove(each);
  const before = known?.move === move ? known : undefined;
  const measure = measureProgress(each.workload, target);
  const resourceVersion = nameFacts(each);
  const quietSince = before?.resourceVersion === resourceVersion ? before.quietSince : monotonic;
  const isBetter = before === undefined || measure > before.best;
  if (!isBetter) return { move, resourceVersion, quietSince, best: before.best, bestAt: before.bestAt };
  const age = before === undefined ? findProgressAge(each, { serverNow, now, target }) : 0;
  return { move, resourceVersion, quietSince, best: measure, bestAt: readElapsed(times) - age };
}

/** What it is read off: the cluster, and where its workloads stand. */
interface ProgressInput {
  readonly cluster: Pick<ClusterSnapshot, "serverNow" | "facts">;
  readonly judged: JudgedWorkloads;
}

/** The progress of all that moves, with what was remembered of it before; the rest is forgotten. */
export function noteProgress(
  before: ProgressMemory,
  { cluster, judged }: ProgressInput,
  times: ReconcileTimes,
): ProgressMemory {
  const migrating = [...judged.list("rolling")].filter((each) => each.state.kind === "migrating");
  const noted = migrating.map((each) => [each.key, noteMove(before.get(each.key), each, times, cluster)] as const);
  // An autoscaler that goes to nothing and back starts no time again.
  const idle = [...before].filter(([key, { move }]) => {
    const now = judged.find(key);
    return now?.state.kind === "idle" && nameMove(now) === move;
  });
  return new Map([...noted, ...idle]);
}
