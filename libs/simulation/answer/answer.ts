import type { RenderedReason } from "#libs/wording";

/** What the time of a stage is spent on. */
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
  /** The notice of a pull request that is merged automatically. */
  | "notice"
  /** A workload's owner, or the operator of the mesh. */
  | "owner"
  | "stop"
  | "other";

/** The course of one stage. Times are epoch ms; absent = it did not get that far. */
export interface SimulatedStage {
  readonly name: string;
  readonly proposedAt: number;
  readonly mergedAt?: number;
  /** When its first workload was patched. */
  readonly startedAt?: number;
  /** When its last workload had migrated, or was given up. */
  readonly restartedAt?: number;
  /** When its run was over: restarted, baked, gates passed. */
  readonly endedAt?: number;
  /** Namespaces with such workloads, each counted once in however many clusters it is. */
  readonly namespaces: number;
  /** What its run has to restart when it begins, as `plan` lists it: without what earlier stages left over. */
  readonly workloads: number;
  /** Workloads that its run had given up at its end. */
  readonly skipped: number;
  /** Ms by cause, from the opening of its pull request to its end. */
  readonly spent: Readonly<Partial<Record<Cause, number>>>;
}

/** How a simulation ended. */
export type SimulatedEnd =
  | { readonly kind: "complete"; readonly at: number }
  /** Nothing changes by itself any more, or not before the horizon; with the reason, and who can change it. */
  | {
      readonly kind: "stuck";
      readonly at: number;
      readonly reason: RenderedReason;
      /** Failures stopped it; otherwise it waits for a person. */
      readonly hasFailed: boolean;
    };

/** One campaign simulated once. */
export interface SimulatedRun {
  readonly seed: string;
  readonly start: number;
  readonly stages: readonly SimulatedStage[];
  readonly end: SimulatedEnd;
  /** Workloads that were handed out, and rollouts that ended: these are equal unless the run is stopped. */
  readonly handedOut: number;
  /** How many reconciles the planner made. */
  readonly reconciles: number;
}
