import type { Reason, TransitionReason } from "#libs/wording";

import type { LedgerChange } from "./change/ledger-change.ts";

/** One workload in a batch: which object, and where main asked it to go when it was chosen. */
export interface BatchItem {
  readonly namespace: string;
  readonly kind: "Deployment" | "StatefulSet" | "DaemonSet";
  readonly name: string;
  readonly uid: string;
  /** The revision it shall run. */
  readonly target: string;
  /** 1, or one more than the failed try that a person asked to repeat. */
  readonly attempt: number;
  /** Unhealthy before the run: this is its one try at the end, and its failure is not ours. */
  readonly unhealthyBefore: boolean;
}

/** Which workloads of a run may work in a cluster: those that go back, those that are due, or those that come last (rules 3.3). */
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

/** What a transition of the ledger is for. */
export type TransitionKind =
  | "startRun"
  /** Main moved on without a run: nothing in it changes an answer. */
  | "judge"
  | "openWave"
  /** Nothing is left in these clusters: the delay to the next wave begins (rules 6.1). */
  | "closeWave"
  /** A workload came late in these: the delay counts from their next end. */
  | "reopenWave"
  /** The bake of a run began, went on by a step, was interrupted or is over (rules 6.2). */
  | "saveBake"
  /** A workload has to move though its run bakes: the bake starts again once nothing is left (rules 6.2). */
  | "restartBake"
  /** A gate said something new; a failure that stops comes as `placeStop` after it. */
  | "judgeGate"
  /** A gate measured something that counts towards its failure, or that ends what it counted (rules 6.3). */
  | "countGate"
  /** A stage's branch has a new head: who moves is recorded before its pull request says so (rules 10.2). */
  | "recordPlan"
  | "finishRun"
  | "placeStop"
  | "resumeStop"
  /** What failed in a run is due again: its failures are forgiven, and its stop for them is resumed (rules 3.3). */
  | "retryRun"
  /** What differs from main becomes a run of its own, one for each campaign (ADR 46). */
  | "converge"
  /** A verb that changes nothing (unknown run, nothing to resume): answered once, and recorded so that it is not asked again. */
  | "answerRequest"
  /** What is over and no longer decides anything leaves the live part of the ledger. */
  | "archive";

/** A transition: pushed before anything else is done (rules 8.2). What it does to the ledger is its `change`. */
export interface LedgerDecision {
  readonly kind: TransitionKind;
  readonly change: LedgerChange;
  readonly reason: TransitionReason;
}

/** What the planner does next. */
export type Decision =
  | LedgerDecision
  /** The job says which run; the batch is what the planner's facts show of it, and its executor chooses by its own. */
  | { readonly kind: "handOut"; readonly batch: Batch; readonly reason: Reason }
  /** A job that failed for good became a stop: it leaves the queue. */
  | { readonly kind: "dropBatch"; readonly cluster: string; readonly reason: Reason }
  | { readonly kind: "wait"; readonly scope: string; readonly reason: Reason };

export function isLedgerDecision(decision: Decision): decision is LedgerDecision {
  return "change" in decision;
}
