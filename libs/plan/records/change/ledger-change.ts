import type { Baseline, CarriedOut, PlanRecord, RunRecord, StopRecord } from "../ledger-state.ts";

/** What one record of a bake says of it (rules 6.2). */
export type BakeStep = "began" | "progress" | "paused" | "over";

/** What one transition did to a run. `clusters` and `gate` are names. */
export type RunStep =
  | { readonly kind: "started" }
  /** Its state is not `open` any more. */
  | { readonly kind: "ended" }
  /** A person forgave tries; a run that was over is open again. */
  | { readonly kind: "retried" }
  | { readonly kind: "wavesOpened"; readonly clusters: readonly string[] }
  | { readonly kind: "wavesClosed"; readonly clusters: readonly string[] }
  | { readonly kind: "wavesReopened"; readonly clusters: readonly string[] }
  | { readonly kind: "bakeSaved"; readonly step: BakeStep }
  | { readonly kind: "bakeRestarted" }
  | { readonly kind: "gateJudged"; readonly gate: string }
  | { readonly kind: "gateCounted"; readonly gate: string }
  /** It left the live part of the ledger. */
  | { readonly kind: "archived" }
  /** It is in the live part again. */
  | { readonly kind: "restored" };

export interface RunChange {
  /** As it is now. */
  readonly run: RunRecord;
  readonly steps: readonly RunStep[];
}

export interface StopChange {
  /** As it is now. */
  readonly stop: StopRecord;
  readonly step: "placed" | "resumed" | "archived" | "restored";
}

export interface PlanChange {
  /** As it is now. */
  readonly plan: PlanRecord;
  /** The first head of its branch on record, another head of one that has some, or a newer list of the same head. */
  readonly step: "stageProposed" | "headProposed" | "relisted";
}

/** Ids of records that are in the ledger no more; nothing keeps them. */
export interface Forgotten {
  readonly runs?: readonly string[];
  readonly stops?: readonly string[];
  readonly requests?: readonly string[];
  /** Heads. */
  readonly plans?: readonly string[];
}

/** What one transition changes in the ledger: fields that are absent stay as they are. */
export interface LedgerChange {
  /** The transition's own number. */
  readonly sequence: number;
  /** Main's head that it was decided on. */
  readonly main: string;
  readonly judged?: string;
  readonly baseline?: Baseline;
  readonly runs?: readonly RunChange[];
  readonly stops?: readonly StopChange[];
  /** By id. */
  readonly requests?: Readonly<Record<string, CarriedOut>>;
  readonly plans?: readonly PlanChange[];
  readonly forgotten?: Forgotten;
}
