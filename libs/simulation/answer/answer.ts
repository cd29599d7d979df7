import type { RenderedReason } from "#libs/wording";

/** What time goes by with. */
export type Cause =
  /** Workloads restart, or the delay between two batches runs. */
  | "restarting"
  | "baking"
  /** `delayBetweenWaves`. */
  | "waves"
  | "window"
  | "freeze"
  /** A person has to approve and merge. */
  | "approval"
  /** The notice of a pull request that merges itself. */
  | "notice"
  /** A workload's owner, or the operator of the mesh. */
  | "owner"
  | "stop"
  | "other";

/** One stage as it went. Times are epoch ms; absent = it did not come to that. */
export interface SimulatedStage {
  readonly name: string;
  readonly proposedAt: number;
  readonly mergedAt?: number;
  /** Its first workload is patched. */
  readonly startedAt?: number;
  /** Its last workload has arrived, or was given up. */
  readonly restartedAt?: number;
  /** Its run is over: restarted, baked, gates passed. */
  readonly endedAt?: number;
  /** Names of namespaces, each counted once however many clusters have it. */
  readonly namespaces: number;
  readonly workloads: number;
  /** Workloads that its run gave up, when it ended. */
  readonly skipped: number;
  /** Ms by what they went by with, from its pull request's opening to its end. */
  readonly spent: Readonly<Partial<Record<Cause, number>>>;
}

/** How a simulation ended. */
export type SimulatedEnd =
  | { readonly kind: "complete"; readonly at: number }
  /** Nothing will ever change by itself any more, or not before the horizon: why, and who can change it. */
  | {
      readonly kind: "stuck";
      readonly at: number;
      readonly reason: RenderedReason;
      /** Failures stopped it; else it waits for a person. */
      readonly hasFailed: boolean;
    };

/** One campaign simulated once. */
export interface SimulatedRun {
  readonly seed: string;
  readonly start: number;
  readonly stages: readonly SimulatedStage[];
  readonly end: SimulatedEnd;
  /** Workloads handed out, and rollouts that settled: each of the former comes to one of the latter, or its run is stopped. */
  readonly handedOut: number;
  /** How often the planner looked. */
  readonly reconciles: number;
}
