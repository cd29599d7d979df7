import type { Reason, RenderedReason } from "#libs/wording";

import type { LedgerState, PlanRecord, RunRecord, StopRecord } from "./ledger-state.ts";

/** One workload of a job: which object, and where the planner saw main ask it to go. How it is moved, state says. */
export interface JobItem {
  readonly namespace: string;
  readonly kind: "Deployment" | "StatefulSet" | "DaemonSet";
  readonly name: string;
  readonly uid: string;
  /** The revision it shall run. */
  readonly target: string;
}

/** One workload in a batch. */
export interface BatchItem extends JobItem {
  /** 1, or one more than the failed try that a person asked to repeat. */
  readonly attempt: number;
  /** Unhealthy before the run: this is its one try at the end, and its failure is not ours. */
  readonly unhealthyBefore: boolean;
}

/** What one job carries: the workloads of one run that one cluster may move now. */
export interface Batch {
  readonly cluster: string;
  /** kube-system's UID, so that a swapped kubeconfig context is refused. */
  readonly clusterUid: string;
  readonly run: string;
  readonly commit: string;
  readonly strategy: "Batched" | "Window";
  readonly items: readonly BatchItem[];
}

/** What the planner does next. Ledger changes come first: push, then act (rules 8.2). */
export type Decision =
  | {
      readonly kind: "startRun";
      readonly run: RunRecord;
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** Main moved on without a run: nothing in it changes an answer. */
  | { readonly kind: "judge"; readonly ledger: LedgerState; readonly reason: RenderedReason }
  | {
      readonly kind: "openWave";
      readonly run: string;
      /** All that open with this record. */
      readonly clusters: readonly string[];
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** Nothing is left in these clusters: the delay to the next wave begins (rules 6.1). */
  | {
      readonly kind: "closeWave";
      readonly run: string;
      readonly clusters: readonly string[];
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** A workload came late in these: the delay counts from their next end. */
  | {
      readonly kind: "reopenWave";
      readonly run: string;
      readonly clusters: readonly string[];
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** The bake of a run began, went on by a step, was interrupted or is over (rules 6.2). */
  | {
      readonly kind: "saveBake";
      readonly run: RunRecord;
      readonly step: "began" | "progress" | "paused" | "over";
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** A workload has to move though its run bakes: the bake starts again once nothing is left (rules 6.2). */
  | {
      readonly kind: "restartBake";
      readonly run: RunRecord;
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** A gate said something new; a failure that stops comes as `placeStop` after it. */
  | {
      readonly kind: "judgeGate";
      readonly run: RunRecord;
      readonly gate: string;
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** A gate measured something that counts towards its failure, or that ends what it counted (rules 6.3). */
  | {
      readonly kind: "countGate";
      readonly run: RunRecord;
      readonly gate: string;
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** A stage's branch has a new head: who moves is recorded before its pull request says so (rules 10.2). */
  | {
      readonly kind: "recordPlan";
      readonly plan: PlanRecord;
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  | {
      readonly kind: "finishRun";
      readonly run: RunRecord;
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  | {
      readonly kind: "placeStop";
      readonly stop: StopRecord;
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  | {
      readonly kind: "resumeStop";
      readonly stops: readonly string[];
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** What failed in a run is due again: its marks are forgiven, and its stop for failures is lifted (rules 3.3). */
  | {
      readonly kind: "retryRun";
      readonly run: RunRecord;
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** A verb that changes nothing (unknown run, nothing to resume): answered once, and recorded so that it is not asked again. */
  | {
      readonly kind: "answerRequest";
      readonly request: string;
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** What is over and no longer decides anything leaves the live part of the ledger; `runs`: their ids. */
  | {
      readonly kind: "archive";
      readonly runs: readonly string[];
      readonly ledger: LedgerState;
      readonly reason: RenderedReason;
    }
  /** Every process alive reads a newer version of the ledger: it is written in it from now on. */
  | { readonly kind: "raiseFormat"; readonly ledger: LedgerState; readonly reason: RenderedReason }
  | { readonly kind: "handOut"; readonly batch: Batch; readonly reason: Reason }
  /** A job that failed for good became a stop: it leaves the queue. */
  | { readonly kind: "dropBatch"; readonly cluster: string; readonly reason: Reason }
  | { readonly kind: "wait"; readonly scope: string; readonly reason: Reason };

export type LedgerDecision = Extract<Decision, { readonly ledger: LedgerState }>;

/** True for decisions that are a transition: they are pushed before anything else is done. */
export function isLedgerDecision(decision: Decision): decision is LedgerDecision {
  return "ledger" in decision;
}
