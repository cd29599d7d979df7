import type { NamespaceSelector } from "./label-selector.ts";

/** A count, or a whole percentage (0..100) of the workloads in question. */
export type Amount = number | { readonly percent: number };

/** How one batch is made and judged. Durations in ms. */
export interface BatchSettings {
  /** Workloads of a cluster that move at once, at least 1. */
  readonly batchSize: number;
  /** Pause after a batch has settled; strategy `Window` has none. */
  readonly delayBetweenBatches: number;
  /** Time without any progress after which a workload counts as failed. */
  readonly readinessTimeout: number;
  /** Workloads of a cluster that may be unavailable at once, never 0; absent = only `batchSize` bounds it. */
  readonly maxUnavailable?: Amount;
  /** Consistent with `maxFailures`: `FailFast` never stands beside a budget. */
  readonly failurePolicy: "FailFast" | "ContinueOnError";
  /** Failures that a run may have, over all clusters; one more stops it. Absent = as `failurePolicy` says. */
  readonly maxFailures?: Amount;
  /** Tries of one workload within its turn, before it is marked; at least 1. */
  readonly maxAttempts: number;
}

/** `meshroll.yml` after parsing, nothing left open: what the file does not say has its built-in value. */
export interface Settings {
  /** Seed of the assignment `wrh1`. */
  readonly seed: string;
  /** Absent = every namespace but `kube-*`, `istio-system` and `meshroll-system`. */
  readonly selector?: NamespaceSelector;
  readonly strategy: "Batched" | "Window";
  readonly batch: BatchSettings;
  /** `revert` puts the previous label back; `leave` only marks. */
  readonly onWorkloadFailure: "revert" | "leave";
  /** How a return moves: `defaults.rollback.batch` over `batch`. It never heeds `maxUnavailable`, and fails nothing (rules 2.3). */
  readonly rollbackBatch: BatchSettings;
  /** Human approvals that a forward change of `rollouts.yml` needs before `meshroll/approvals` is green; returns need none. */
  readonly approvals: number;
  /** Clusters that runs do not wait for, by `clusters.<name>.aside: true` (rules 6.1). */
  readonly asideClusters: readonly string[];
}

/** Names and values of the batch are the Sail proposal's; failing fast is ours. */
const builtInBatch: BatchSettings = {
  batchSize: 1,
  delayBetweenBatches: 30_000,
  readinessTimeout: 300_000,
  failurePolicy: "FailFast",
  maxAttempts: 1,
};

/** What holds without a `meshroll.yml`. */
export const builtInSettings: Settings = {
  seed: "",
  strategy: "Batched",
  batch: builtInBatch,
  onWorkloadFailure: "revert",
  rollbackBatch: builtInBatch,
  approvals: 1,
  asideClusters: [],
};
