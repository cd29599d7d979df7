import {
  countSteps,
  findAge,
  findProgressAt,
  annotationKeys,
  isMoveInHand,
  measureProgress,
  type Workload,
} from "#libs/fleet";
import { resolveTarget } from "#libs/injection";

import { type ClusterSnapshot, parseTime } from "../../records/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import type { JudgedWorkloads } from "../cluster-index.ts";

/**
 * By `namespace/Kind/name`: this executor's observations of moving workloads. A new executor reads the time of the last
 * progress from the objects (`findProgressAt`), so that a restart does not restart a limit.
 */
export type ProgressMemory = ReadonlyMap<string, Progress>;

export interface Progress {
  /**
   * Identifies the move by the run's annotation. Other writes to the object meanwhile, such as an autoscaler's, do not change
   * it.
   */
  readonly move: string;
  readonly resourceVersion: string;
  /** The highest progress so far, and when it was reached (`elapsed`). */
  readonly best: number;
  readonly bestAt: number;
  /** Since when no fact of the workload changed, real monotonic ms, because watches lag in real time (rules 12.1). */
  readonly quietSince: number;
  /** Of a group of VMs: since when it could make progress and makes none (`elapsed`), and its last tag then; absent = it waits. */
  readonly inHand?: { readonly since: number; readonly tagged: number | undefined };
}

/** The times of one reconcile. */
export interface ReconcileTimes {
  readonly now: number;
  /** Ms of the services' clock, unaffected by changes of the system clock; absent = as `now`. */
  readonly elapsed?: number;
  /** Real monotonic ms. */
  readonly monotonic: number;
}

/** Uses `elapsed`, so that a system clock that is set forward does not fail a healthy rollout. */
export function readElapsed({ elapsed, now }: ReconcileTimes): number {
  return elapsed ?? now;
}

/** Pods change without the workload's resourceVersion, so both are compared. */
function nameFacts({ workload }: JudgedWorkload): string {
  const pods = workload.pods.map((group) => `${group.revision ?? "-"}:${group.count}:${group.ready}`);
  return `${workload.resourceVersion} ${pods.join(",")}`;
}

/** How long its run, or its rollback, has wanted it, ms; 0 where no run does. */
function findAskedAge({ rollbackSince, run }: JudgedWorkload, now: number): number {
  const askedAt = rollbackSince ?? run?.startedAt;
  return askedAt === undefined ? 0 : Math.max(0, now - parseTime(askedAt));
}

/**
 * Its rollout completed with 0 replicas, and its first pods start now, all on the target: it may have been idle for days, which
 * was no wait. A DaemonSet does not report whether its rollout was complete.
 */
function isWaking({ workload: { kind, rolledOut, pods } }: JudgedWorkload, target: string): boolean {
  const wasThrough = rolledOut === true || kind === "DaemonSet";
  return wasThrough && pods.every(({ count, revision }) => count === 0 || revision === target);
}

/** What Argo's strategy holds makes no progress, and loses no time. */
function isHeldByArgo({ argo }: Workload): boolean {
  return argo?.holds !== undefined;
}

/**
 * The age of its last progress, ms, for a process that has not observed it before: by its API server's clock, and at most as
 * long as its run or rollback wants it. 0 where the server does not say.
 */
function findProgressAge(
  each: JudgedWorkload,
  { serverNow, now, target }: { readonly serverNow: number | undefined; readonly now: number; readonly target: string },
): number {
  const isFresh = isWaking(each, target) || isHeldByArgo(each.workload);
  const at = isFresh ? undefined : findProgressAt(each.workload);
  return at === undefined || serverNow === undefined ? 0 : Math.min(findAge(at, serverNow), findAskedAge(each, now));
}

/**
 * Our write is older than all steps may take together, each `limit` ms: for pods that alternate between ready and unready while
 * executors restart, when the last change of the status is no progress. False where the server does not say.
 */
export function isOverdue(
  each: JudgedWorkload,
  { serverNow, now, target }: { readonly serverNow: number | undefined; readonly now: number; readonly target: string },
  limit: number,
): boolean {
  const { vms, argo, times } = each.workload;
  const { written } = times ?? {};
  // The turns of VMs are spread over their group's deadline.
  // Argo's own strategy takes the time that it takes, and has a deadline for progress of its own.
  if (
    vms !== undefined ||
    argo !== undefined ||
    written === undefined ||
    serverNow === undefined ||
    isWaking(each, target)
  )
    return false;
  return Math.min(findAge(written, serverNow), findAskedAge(each, now)) >= (countSteps(each.workload) + 1) * limit;
}

function nameMove({ workload }: JudgedWorkload): string {
  return workload.annotations[annotationKeys.run] ?? "";
}

/** The last progress, or the time from which a group of VMs had something in hand: `readinessTimeout` counts from there. */
export function findStuckSince({ bestAt, inHand }: Progress): number {
  return inHand === undefined ? bestAt : Math.max(bestAt, inHand.since);
}

/**
 * A group of VMs often waits for the next one's turn. Its time runs only while a VM is in hand or broken ones leave no room, begins again
 * with each tag, and ends when that is over: a VM that is not ready for a moment fails nothing.
 */
function noteInHand({ vms, times }: Workload, before: Progress["inHand"], elapsed: number): Pick<Progress, "inHand"> {
  if (vms === undefined || !isMoveInHand(vms)) return {};
  const tagged = times?.status;
  return { inHand: before !== undefined && before.tagged === tagged ? before : { since: elapsed, tagged } };
}

/** The observation of one workload's move after this reconcile. */
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
  const same = { move, resourceVersion, quietSince, ...noteInHand(each.workload, before?.inHand, readElapsed(times)) };
  if (before === undefined) {
    const age = findProgressAge(each, { serverNow, now, target });
    return { ...same, best: measure, bestAt: readElapsed(times) - age };
  }
  const isBetter = measure > before.best || isHeldByArgo(each.workload);
  const { best, bestAt } = isBetter ? { best: measure, bestAt: readElapsed(times) } : before;
  return { ...same, best, bestAt };
}

/** The source of the observations: the cluster and its workloads. */
interface ProgressInput {
  readonly cluster: Pick<ClusterSnapshot, "serverNow" | "facts">;
  readonly judged: JudgedWorkloads;
}

/** The progress of all moving workloads, continued from the earlier observations; others are dropped. */
export function noteProgress(
  before: ProgressMemory,
  { cluster, judged }: ProgressInput,
  times: ReconcileTimes,
): ProgressMemory {
  const migrating = [...judged.list("rolling")].filter((each) => each.state.kind === "migrating");
  const noted = migrating.map((each) => [each.key, noteMove(before.get(each.key), each, times, cluster)] as const);
  // An autoscaler that scales to zero and back does not restart the time.
  const idle = [...before].filter(([key, { move }]) => {
    const now = judged.find(key);
    return now?.state.kind === "idle" && nameMove(now) === move;
  });
  return new Map([...noted, ...idle]);
}
