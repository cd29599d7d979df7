import type { Baseline, CarriedOut, PlanRecord, RunRecord, StopRecord } from "../ledger-state.ts";

/** The kind of one save of a bake (rules 6.2). */
export type BakeStep = "began" | "progress" | "paused" | "over";

/** What one transition did to a run. `clusters` and `gate` are names. */
export type RunStep =
  | { readonly kind: "started" }
  /** Its state is no longer `open`. */
  | { readonly kind: "ended" }
  /** A person forgave attempts; an ended run is open again. */
  | { readonly kind: "retried" }
  | { readonly kind: "wavesOpened"; readonly clusters: readonly string[] }
  | { readonly kind: "wavesClosed"; readonly clusters: readonly string[] }
  | { readonly kind: "wavesReopened"; readonly clusters: readonly string[] }
  | { readonly kind: "bakeSaved"; readonly step: BakeStep }
  | { readonly kind: "bakeRestarted" }
  | { readonly kind: "gateJudged"; readonly gate: string }
  | { readonly kind: "gateCounted"; readonly gate: string }
  /** It moved from the live part of the ledger to the archive. */
  | { readonly kind: "archived" }
  /** It moved back to the live part. */
  | { readonly kind: "restored" };

export interface RunChange {
  /** The run after the transition. */
  readonly run: RunRecord;
  readonly steps: readonly RunStep[];
}

export interface StopChange {
  /** The stop after the transition. */
  readonly stop: StopRecord;
  readonly step: "placed" | "resumed" | "archived" | "restored";
}

export interface PlanChange {
  /** The plan after the transition. */
  readonly plan: PlanRecord;
  /** The first recorded head of its branch, another head of a branch with recorded ones, or a newer list of the same head. */
  readonly step: "stageProposed" | "headProposed" | "relisted";
}

/** Ids of records that are removed from the ledger and not archived. */
export interface Forgotten {
  readonly runs?: readonly string[];
  readonly stops?: readonly string[];
  readonly requests?: readonly string[];
  /** Heads of branches, the keys of `plans`. */
  readonly plans?: readonly string[];
}

/** What one transition changes in the ledger. Absent fields stay as they are. */
export interface LedgerChange {
  /** The number of this transition. */
  readonly sequence: number;
  /** Main's head at the decision. */
  readonly main: string;
  readonly judged?: string;
  readonly baseline?: Baseline;
  readonly runs?: readonly RunChange[];
  readonly stops?: readonly StopChange[];
  /** Verbs that were carried out, by id. */
  readonly requests?: Readonly<Record<string, CarriedOut>>;
  readonly plans?: readonly PlanChange[];
  readonly forgotten?: Forgotten;
}
