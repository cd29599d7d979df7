import type { MigratingReason, NamespaceInventory, Workload } from "#libs/fleet";
import type { Site, Touched } from "#libs/injection";
import type { UnmanagedReason, WaitingReason, WorkloadReason } from "#libs/wording";

import type { RunRecord } from "../records/index.ts";

/**
 * The state of one workload towards the revision that main wants. It depends only on the objects and the merged files; stops,
 * waves and unreachable clusters are applied when work is handed out.
 */
export type WorkloadState =
  /** Not to be touched: never counted, never written. */
  | { readonly kind: "unmanaged"; readonly reason: UnmanagedReason }
  /** Runs the desired revision; after a move of ours, the move is complete. */
  | { readonly kind: "migrated" }
  /** Its label says the desired revision, and it has 0 replicas: nothing is left to write, and no pod proves anything. */
  | { readonly kind: "idle" }
  /** Patched by us towards the desired revision; neither complete nor failed. */
  | { readonly kind: "migrating"; readonly progress: MigratingReason | "UndoRolling" | "NotObserved" }
  | { readonly kind: "pending"; readonly unhealthyBefore: boolean; readonly attempt: number }
  /** It is its owner's turn, or that of a tag's owner. */
  | { readonly kind: "waiting"; readonly reason: WaitingReason }
  /** This run does not move it. */
  | {
      readonly kind: "skipped";
      readonly reason: WorkloadReason;
      /**
       * The failure counts for this run: the object with the annotation, `namespace/Kind/name`, or `namespace/*` where the
       * namespace fails as a whole.
       */
      readonly failed?: string;
      /** The failure annotation that keeps it skipped, and its run, even where the failure does not count for this run. */
      readonly failureAnnotation?: FailedObject;
      /** Epoch ms at which it is no longer skipped. */
      readonly until?: number;
      /** The wait for its owner lasted too long. */
      readonly waited?: true;
    };

/** Whether nothing is left to do: its label says the desired revision, and its pods, if any, run it. */
export function isInPlace({ kind }: WorkloadState): boolean {
  return kind === "migrated" || kind === "idle";
}

/** The object with a failure annotation, and the run in which it failed. */
export interface FailedObject {
  /** `namespace/Kind/name`, or `namespace/*`. */
  readonly object: string;
  /** Absent where a person broke the annotation of the run. */
  readonly run?: string;
}

/** Whose turn a workload waits for. */
export type Blocker = WaitingReason["code"];

/** Each of them once, in the order of display; the compiler refuses a missing one. */
export const blockers = Object.keys({
  BudgetAllowsNothing: true,
  BudgetAllowsLess: true,
  PausedByOwner: true,
  Partitioned: true,
  AwaitsPromotion: true,
  RolloutDegraded: true,
  OwnerRollout: true,
  TagNotMoved: true,
  AwaitsDeploy: true,
  GatewayHeld: true,
} satisfies Record<Blocker, true>) as readonly Blocker[];

/** One workload, judged. */
export interface JudgedWorkload {
  readonly cluster: string;
  readonly inventory: Pick<NamespaceInventory, "namespace">;
  readonly workload: Workload;
  /** `namespace/Kind/name`. */
  readonly key: string;
  readonly desired: string;
  /** The open run that it belongs to; absent = a difference is drift. */
  readonly run?: RunRecord;
  /** Left over by an earlier run of the same campaign. */
  readonly isLeftover?: true;
  /** The run rolls it back, since then (ISO): few stops hold that (rules 2.3). Absent = forward. */
  readonly rollbackSince?: string;
  /** Lower turns go first (rules 4.7): by its place in its namespace (`chooseTurn`). */
  readonly turn: number;
  /** Pattern of the bucket that decides its namespace's revision; stops may name it. */
  readonly bucket: string;
  readonly site: Site;
  /**
   * We changed its namespace's own label for this revision: no other namespace begins before this one is complete (rules 5.2).
   */
  readonly namespaceBegun: boolean;
  /** Workloads that its namespace's label affects and no run moves; absent where its own label decides, or there are none. */
  readonly touched?: readonly Touched[];
  readonly state: WorkloadState;
  /** A write of ours (a move or its undo) still replaces pods: it takes a place in the batch. */
  readonly rolling: boolean;
  /** Pods are missing now, for any reason. */
  readonly unavailable: boolean;
}
