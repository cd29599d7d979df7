import type { Workload } from "../facts.ts";
import type { VmCounts } from "../vm-facts.ts";
import { haveAllMoved } from "../vms/vm-counts.ts";
import { countRunning, readRunning } from "./read-running.ts";
import { isDegraded, isUnobserved } from "./rollout.ts";

/** Pods and status come by two watches: a difference between them counts only after this time, real ms. @internal */
export const podLagMs = 5_000;

export interface MigrationEvidence {
  /**
   * What a new pod would get (`effectiveRevision`). With 0 replicas it shows whether the label is set; there is no pod to prove
   * it.
   */
  readonly resolvesTo?: string;
  /** Real ms since the last change of this workload's facts. Absent = not known: a mismatch is then waited for. */
  readonly quietMs?: number;
}

/** The reason in the failure annotation when `readinessTimeout` ends the wait. */
export type MigratingReason =
  | "NotObserved"
  | "Paused"
  | "NotUpdated"
  | "OldPodsLeft"
  | "NotAvailable"
  /** An Argo Rollout whose strategy is not through. */
  | "NotPromoted"
  | "PodsNotListed"
  | "OldPodsListed"
  | "RevisionMismatch"
  | "LabelNotWritten";

export type Migration =
  | { readonly kind: "migrated" }
  /** 0 replicas and no pod: the label names the target, and there is no proof. */
  | { readonly kind: "idle" }
  | {
      readonly kind: "migrating";
      readonly reason: MigratingReason;
      readonly updated: number;
      readonly available: number;
    }
  /** Waiting does not help. */
  | { readonly kind: "wrong"; readonly reason: "ProgressDeadlineExceeded" | "RolloutDegraded" | "RevisionMismatch" };

/** Why the rollout is not complete, in the order of a rollout's steps. */
function findUnfinished(workload: Workload): MigratingReason | undefined {
  if (isUnobserved(workload)) return "NotObserved";
  const isUpdating = workload.updated < workload.replicas;
  if (isUpdating) return workload.paused ? "Paused" : "NotUpdated";
  if (workload.total > workload.updated) return "OldPodsLeft";
  if (workload.available < workload.replicas) return "NotAvailable";
  return workload.argo !== undefined && workload.rolledOut !== true ? "NotPromoted" : undefined;
}

/**
 * After an undo the condition `ProgressDeadlineExceeded` of the earlier rollout remains for a moment, in which no pod is
 * updated yet. Without this check the undo of a broken workload would count as failed at once.
 */
function isDeadlineReal(workload: Workload): boolean {
  return workload.deadlineExceeded && !isUnobserved(workload) && workload.updated > 0;
}

/** What its controller calls a failure. */
function findWrong(workload: Workload, target: string, unfinished: MigratingReason | undefined) {
  if (isDegraded(workload) && !runsOnly(workload, target)) return "RolloutDegraded";
  return unfinished !== undefined && isDeadlineReal(workload) ? "ProgressDeadlineExceeded" : undefined;
}

function judgePods(workload: Workload, target: string, quietMs: number): MigratingReason | "wrong" | undefined {
  const listed = workload.pods.reduce((sum, group) => sum + group.count, 0);
  if (listed < workload.replicas) return "PodsNotListed";
  // The pod watch is behind: it lists more pods than there should be, while the status counts none of the old template.
  if (listed > workload.replicas) return "OldPodsListed";
  if (runsOnly(workload, target)) return undefined;
  // The number of pods is right, but they may still be the old ones: only a lasting difference counts as a mismatch.
  return quietMs >= podLagMs ? "wrong" : "RevisionMismatch";
}

function runsOnly(workload: Workload, target: string): boolean {
  const running = readRunning(workload);
  return running.kind === "all" && running.revision === target;
}

/**
 * Whether the newest template was complete once, by its API server, and its remaining pods run the target: missing pods were
 * lost later. A template is complete with 0 replicas too, so at least one pod must be ready.
 */
export function hasMigratedOnce(workload: Workload, target: string): boolean {
  const hasReady = workload.pods.some(({ ready }) => ready > 0);
  return workload.rolledOut === true && !isUnobserved(workload) && hasReady && runsOnly(workload, target);
}

/** Of a group of VMs. What it runs is said by its agents alone, so no second watch can be behind. */
function judgeVmsMove(workload: Workload, target: string, vms: VmCounts): Migration {
  const { replicas, updated, available } = workload;
  // What the counts call updated is about the group's present revision, which may be another one.
  const isForTarget = updated > 0 && countRunning(workload, target) === updated;
  if (isForTarget && haveAllMoved(vms, replicas)) return { kind: "migrated" };
  const reason = vms.outdated + vms.upgrading > 0 || updated === 0 ? "NotUpdated" : "NotAvailable";
  return { kind: "migrating", reason, updated, available };
}

/**
 * Whether the workload arrived at the target as a whole: the controller saw the template, all replicas are updated and
 * available, no old pods are left, and every live pod was *injected* with the target.
 */
export function judgeMigration(workload: Workload, target: string, evidence: MigrationEvidence = {}): Migration {
  const { vms, replicas } = workload;
  return vms !== undefined && replicas > 0
    ? judgeVmsMove(workload, target, vms)
    : judgeRollout(workload, target, evidence);
}

function judgeRollout(workload: Workload, target: string, evidence: MigrationEvidence): Migration {
  const { updated, available } = workload;
  const unfinished = findUnfinished(workload);
  const wrong = findWrong(workload, target, unfinished);
  if (wrong !== undefined) return { kind: "wrong", reason: wrong };
  if (unfinished !== undefined) {
    return { kind: "migrating", reason: unfinished, updated, available };
  }
  if (workload.replicas === 0 && workload.pods.every((group) => group.count === 0)) {
    if (evidence.resolvesTo === target) return { kind: "idle" };
    return { kind: "migrating", reason: "LabelNotWritten", updated, available };
  }
  const pods = judgePods(workload, target, evidence.quietMs ?? 0);
  if (pods === undefined) return { kind: "migrated" };
  if (pods === "wrong") return { kind: "wrong", reason: "RevisionMismatch" };
  return { kind: "migrating", reason: pods, updated, available };
}
