import type { Kind } from "#libs/fleet";
import type { Reason, TransitionReason } from "#libs/wording";

import type { LedgerChange } from "./change/ledger-change.ts";

/** One workload in a batch, and the revision that main wanted for it when it was chosen. */
export interface BatchItem {
  readonly namespace: string;
  readonly kind: Kind;
  readonly name: string;
  readonly uid: string;
  /** The revision that it shall run. */
  readonly target: string;
  /** 1, or one more than the failed attempt that a person asked to repeat. */
  readonly attempt: number;
  /** Unhealthy before the run: this is its single attempt, at the end, and a failure is not ours. */
  readonly unhealthyBefore: boolean;
}

/** The class of a run's workloads that a job moves: rolled back ones, due ones, or those that come last (rules 3.3). */
export type Due = "rollback" | "pending" | "pendingLast";

/** The workloads of one run that one cluster may move now. */
export interface Batch {
  readonly cluster: string;
  /** kube-system's UID, so that a swapped kubeconfig context is refused. */
  readonly clusterUid: string;
  readonly run: string;
  readonly due: Due;
  readonly strategy: "Batched" | "Window";
  readonly items: readonly BatchItem[];
}

/** The kinds of transitions of the ledger. */
export type TransitionKind =
  | "startRun"
  /** Main moved on without changing a distribution. */
  | "judge"
  | "openWave"
  /** Nothing is left in these clusters: the delay to the next wave begins (rules 6.1). */
  | "closeWave"
  /** A workload was added in these clusters: the delay counts from their next end. */
  | "reopenWave"
  /** The bake of a run began, was saved, was interrupted or is over (rules 6.2). */
  | "saveBake"
  /** A workload has to move during the bake: the bake starts again once nothing is left (rules 6.2). */
  | "restartBake"
  /** A gate has a new verdict. The stop for a failure follows as `placeStop`. */
  | "judgeGate"
  /** A gate's tally changed (rules 6.3). */
  | "countGate"
  /** A stage's branch has a new head: the workloads that move are recorded before its pull request lists them (rules 10.2). */
  | "recordPlan"
  | "finishRun"
  | "placeStop"
  | "resumeStop"
  /** Failed workloads of a run are due again: their failures are forgiven, and the stop for them is resumed (rules 3.3). */
  | "retryRun"
  /** Drift becomes converging runs, one for each campaign (ADR 46). */
  | "converge"
  /** A verb that changes nothing (unknown run, nothing to resume) is answered, and recorded so that it is not repeated. */
  | "answerRequest"
  /** Ended records that no decision needs leave the live part of the ledger. */
  | "archive";

/** A transition: pushed before anything else is done (rules 8.2). `change` is what it does to the ledger. */
export interface LedgerDecision {
  readonly kind: TransitionKind;
  readonly change: LedgerChange;
  readonly reason: TransitionReason;
}

/** The planner's next actions. */
export type Decision =
  | LedgerDecision
  /** The job says only the run; `batch` is what the planner sees, and the executor chooses by its own facts. */
  | { readonly kind: "handOut"; readonly batch: Batch; readonly reason: Reason }
  /** The ledger has a stop for a job that failed for good: the job leaves the queue. */
  | { readonly kind: "dropBatch"; readonly cluster: string; readonly reason: Reason }
  | { readonly kind: "wait"; readonly scope: string; readonly reason: Reason };

export function isLedgerDecision(decision: Decision): decision is LedgerDecision {
  return "change" in decision;
}
