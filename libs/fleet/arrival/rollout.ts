import type { Workload } from "../facts.ts";
import { lacksVms } from "../vms/vm-counts.ts";
import { parseAnnotations } from "../annotations/parse-marks.ts";
import { countRunning, readRunning } from "./read-running.ts";

export type Health =
  | { readonly healthy: true }
  | { readonly healthy: false; readonly reason: "ProgressDeadlineExceeded" | "Unavailable" };

/** Whether it is healthy before a move. An unhealthy one moves last, and its failure does not count (`UnhealthyBefore`). */
export function judgeHealth(workload: Workload): Health {
  if (workload.deadlineExceeded) return { healthy: false, reason: "ProgressDeadlineExceeded" };
  if (lacksPods(workload)) return { healthy: false, reason: "Unavailable" };
  return { healthy: true };
}

/** Fewer pods are available than its owner requested; of a group of VMs more are unavailable than may be at once. */
export function lacksPods({ available, replicas, vms }: Workload): boolean {
  return vms === undefined ? available < replicas : lacksVms(vms);
}

/** The controller has not seen the newest template yet: the status describes an earlier one. */
export function isUnobserved(workload: Workload): boolean {
  return workload.observedGeneration < workload.generation;
}

/** Argo replaces nothing before a person has acted: the update was aborted, or the spec is invalid. */
export function isDegraded(workload: Workload): boolean {
  return workload.argo?.degraded !== undefined && !isUnobserved(workload);
}

/** Argo goes on once a person promotes the update. */
export function awaitsPromotion(workload: Workload): boolean {
  return workload.argo?.holds === "promotion" && !isUnobserved(workload);
}

/** Pods are being replaced, or will be. @internal */
export function isRolling(workload: Workload): boolean {
  return isUnobserved(workload) || workload.updated < workload.replicas || workload.total > workload.updated;
}

/** The last rollout is complete and every pod is available, on whatever template. @internal */
export function isSettled(workload: Workload): boolean {
  return !isRolling(workload) && workload.available >= workload.replicas;
}

/** How many pods are missing. @internal */
export function unavailable(workload: Workload): number {
  return Math.max(0, workload.replicas - workload.available);
}

/** Where our last write leads the pods: a move to its target, an undo away from it. */
interface LastWrite {
  readonly target: string;
  readonly isUndo: boolean;
}

/** Whether some pods are not where our last write leads them. After a later write of the owner's they may have left again. */
function hasPodsElsewhere(workload: Workload, { target, isUndo }: LastWrite): boolean {
  if (isUndo) return countRunning(workload, target) > 0;
  const running = readRunning(workload);
  return running.kind !== "all" || running.revision !== target;
}

/**
 * Pods are left that our last write has to replace: a move all that were there before it, an undo those of them on the target. Of
 * the second of our write it made those that are where it brings them. Also true where its API server does not report.
 */
function hasPodsToReplace({ times, pods }: Workload, { target, isUndo }: LastWrite): boolean {
  const written = times?.written;
  // Where none is left at all, a controller that ends the old ones first has just done so.
  if (written === undefined || pods.every(({ count }) => count <= 0)) return true;
  return pods.some(({ count, oldest, revision }) => {
    const isOnTarget = revision === target;
    if (count <= 0 || (isUndo && !isOnTarget)) return false;
    return oldest === undefined || oldest < written || (oldest === written && isOnTarget === isUndo);
  });
}

/**
 * A write of ours is still going through the pods: a move until every pod runs its target, an undo until none does, either until
 * it has replaced what it found. After that, what rolls is the owner's: a deploy that kept our label, or one in a namespace that
 * was turned since.
 */
export function isRollingByUs(workload: Workload): boolean {
  if (!isRolling(workload)) return false;
  const marks = parseAnnotations(workload);
  if (marks.kind === "unreadable" || marks.run === undefined) return false;
  if (marks.arrived === true || marks.runByHand === true) return false;
  const write = { target: marks.run.target, isUndo: marks.previous === undefined };
  return hasPodsElsewhere(workload, write) && hasPodsToReplace(workload, write);
}

/**
 * What our last write began has not settled, whatever became of our annotations since: pods are missing or still replaced, and it is
 * no later deploy of its owner that has all of them. Where its API server does not report when we wrote, what rolls by our annotations.
 */
export function isUnsettledSinceWrite(workload: Workload): boolean {
  const { written, deployed } = workload.times ?? {};
  if (written === undefined) return isRollingByUs(workload);
  if (isSettled(workload)) return false;
  const isOverwritten = deployed !== undefined && deployed > written;
  const living = workload.pods.filter(({ count }) => count > 0);
  const hasOlder = living.some(({ oldest }) => oldest === undefined || oldest <= written);
  return !isOverwritten || hasOlder || living.length === 0;
}

/**
 * Its owner wrote the object after our last write, and nothing is left of what that had to replace: what is not ready is the
 * owner's deploy, whatever label it kept. False where its API server does not report.
 */
export function isDeployedSince(workload: Workload): boolean {
  const { written, deployed } = workload.times ?? {};
  if (written === undefined || deployed === undefined || deployed <= written) return false;
  const marks = parseAnnotations(workload);
  if (marks.kind === "unreadable" || marks.run === undefined) return false;
  return !hasPodsToReplace(workload, { target: marks.run.target, isUndo: marks.previous === undefined });
}

/**
 * What its owner deployed after our move was through has not been ready once: that it lacks pods says nothing of the revision. A
 * DaemonSet does not report it.
 */
export function isUnprovenDeploy(workload: Workload): boolean {
  return workload.kind !== "DaemonSet" && workload.rolledOut !== true && isDeployedSince(workload);
}

/** The owner is deploying: nothing is written before that is through. */
export function isRollingByOwner(workload: Workload): boolean {
  // VMs of a group that run different revisions are no rollout: their owner deploys nothing that would replace them.
  if (workload.vms !== undefined) return false;
  return isRolling(workload) && !isRollingByUs(workload);
}

/**
 * How many pods of the newest template are ready on the target: `readinessTimeout` is the time since this last exceeded its highest
 * value. Pods that an autoscaler adds count once they are ready, those of the old template never; a step of Argo's counts as a pod.
 * 0 while the controller is behind the object: its figures may speak of an older template.
 */
export function measureProgress(workload: Workload, target: string): number {
  if (isUnobserved(workload)) return 0;
  if (workload.vms !== undefined) return measureVmProgress(workload, target);
  const ready = workload.pods.reduce((sum, group) => sum + (group.revision === target ? group.ready : 0), 0);
  return Math.min(workload.updated, ready) + (workload.argo?.steps?.done ?? 0);
}

/** Twice for each VM: when its turn came, and when it was ready on the target. */
function measureVmProgress({ pods, vms }: Workload, target: string): number {
  const ready = pods.reduce((sum, group) => sum + (group.revision === target ? group.ready : 0), 0);
  return 2 * ready + (vms?.upgrading ?? 0) + (vms?.failed ?? 0);
}

/**
 * So many times at most does a move make progress: `measureProgress` rises to this. One that takes longer than this many limits,
 * and one more, went without progress for a whole limit, also where pods that come and go changed its status all the time.
 */
export function countSteps({ replicas, argo }: Workload): number {
  return replicas + (argo?.steps?.of ?? 0);
}
