import type { Workload } from "../facts.ts";
import { readRunning } from "./read-running.ts";
import { isUnobserved } from "./rollout.ts";

/** Pods and status come by two watches: one may be behind the other by this much before a difference is believed, real ms. @internal */
export const podLagMs = 5_000;

export interface MigrationEvidence {
  /** What a new pod would get (`effectiveRevision`): tells for 0 replicas whether the label is set; no pod proves it. */
  readonly resolvesTo?: string;
  /** Real ms since any fact of this workload changed. Absent = not known: then a mismatch is never called wrong, only waited for. */
  readonly quietMs?: number;
}

/** Words that `readinessTimeout` ends with when a wait lasts too long. */
export type MigratingReason =
  | "NotObserved"
  | "Paused"
  | "NotUpdated"
  | "OldPodsLeft"
  | "NotAvailable"
  | "PodsNotListed"
  | "OldPodsListed"
  | "RevisionMismatch"
  | "LabelNotWritten";

export type Migration =
  | { readonly kind: "migrated" }
  /** 0 replicas and no pod: its label says the target, and nothing proves it. */
  | { readonly kind: "idle" }
  | {
      readonly kind: "migrating";
      readonly reason: MigratingReason;
      readonly updated: number;
      readonly available: number;
    }
  /** No waiting will fix it. */
  | { readonly kind: "wrong"; readonly reason: "ProgressDeadlineExceeded" | "RevisionMismatch" };

/** Why the rollout itself is not through, in the order in which it goes. */
function findUnfinished(workload: Workload): MigratingReason | undefined {
  if (isUnobserved(workload)) return "NotObserved";
  const isUpdating = workload.updated < workload.replicas;
  if (isUpdating) return workload.paused ? "Paused" : "NotUpdated";
  if (workload.total > workload.updated) return "OldPodsLeft";
  return workload.available < workload.replicas ? "NotAvailable" : undefined;
}

/**
 * The deadline's condition of the rollout before stays for a moment after a template was put back whose ReplicaSet
 * exists; at that moment not one pod is updated. Without this a return of a broken workload would be called broken at once.
 */
function isDeadlineReal(workload: Workload): boolean {
  return workload.deadlineExceeded && !isUnobserved(workload) && workload.updated > 0;
}

function judgePods(workload: Workload, target: string, quietMs: number): MigratingReason | "wrong" | undefined {
  const listed = workload.pods.reduce((sum, group) => sum + group.count, 0);
  if (listed < workload.replicas) return "PodsNotListed";
  // More pods than asked for, though the status counts none of the old template: the pod watch is behind.
  if (listed > workload.replicas) return "OldPodsListed";
  if (runsOnly(workload, target)) return undefined;
  // As many pods as there should be, but these may still be the old ones: only a lasting difference is a mismatch.
  return quietMs >= podLagMs ? "wrong" : "RevisionMismatch";
}

function runsOnly(workload: Workload, target: string): boolean {
  const running = readRunning(workload);
  return running.kind === "all" && running.revision === target;
}

/**
 * True where its API server says that the newest template was once complete, and the pods that are left run the target: what is
 * missing now was lost since, while no process of ours looked. A template is complete with 0 replicas too: one pod at least is ready.
 */
export function hasMigratedOnce(workload: Workload, target: string): boolean {
  const hasReady = workload.pods.some(({ ready }) => ready > 0);
  return workload.rolledOut === true && !isUnobserved(workload) && hasReady && runsOnly(workload, target);
}

/**
 * Did the workload arrive at the target? The whole of it: the controller saw the template, all replicas are updated and
 * available, no old ones are left, and every live pod was *injected* with the target (architecture §6, Arrived).
 */
export function judgeMigration(workload: Workload, target: string, evidence: MigrationEvidence = {}): Migration {
  const { updated, available } = workload;
  const unfinished = findUnfinished(workload);
  if (unfinished !== undefined) {
    if (isDeadlineReal(workload)) return { kind: "wrong", reason: "ProgressDeadlineExceeded" };
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
