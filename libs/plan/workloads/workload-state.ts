import type { MigratingReason, NamespaceInventory, Workload } from "#libs/fleet";
import type { Site, Touched } from "#libs/injection";
import type { UnmanagedReason, WaitingReason, WorkloadReason } from "#libs/wording";

import type { RunRecord } from "../records/index.ts";

/**
 * Where one workload stands towards the revision that main wants. It depends on the objects and on merged files
 * alone; stops, waves and unreachable clusters are looked at when work is handed out.
 */
export type WorkloadState =
  /** Not ours to touch: never counted, never written. */
  | { readonly kind: "unmanaged"; readonly reason: UnmanagedReason }
  /** Runs the desired revision; after our move also arrived. */
  | { readonly kind: "migrated" }
  /** Its label says the desired revision, and it has 0 replicas: nothing is left to write, and no pod proves anything. */
  | { readonly kind: "idle" }
  /** Written by us towards the desired revision, not arrived, not failed. */
  | { readonly kind: "migrating"; readonly progress: MigratingReason | "UndoRolling" | "NotObserved" }
  | { readonly kind: "pending"; readonly unhealthyBefore: boolean; readonly attempt: number }
  /** The owner's (or tag owner's) turn. */
  | { readonly kind: "waiting"; readonly reason: WaitingReason }
  /** Given up for this run. */
  | {
      readonly kind: "skipped";
      readonly reason: WorkloadReason;
      /** Our failure, in this run: the marked object (`namespace/Kind/name`, or `namespace/*` where the namespace fails as one). */
      readonly failed?: string;
      /** What carries the failure annotation that keeps it skipped, and of which run that is; also where it is no failure of this run. */
      readonly mark?: FailureMark;
      /** Epoch ms from which on it is not skipped any more. */
      readonly until?: number;
      /** Its owner was waited for, for too long. */
      readonly waited?: true;
    };

/** Nothing is left to be done: its label says the desired revision, and the pods that it has run that. */
export function isInPlace({ kind }: WorkloadState): boolean {
  return kind === "migrated" || kind === "idle";
}

export interface FailureMark {
  /** `namespace/Kind/name`, or `namespace/*`. */
  readonly object: string;
  /** Absent where a person broke the annotation of the run. */
  readonly run?: string;
}

/** Whose turn a workload waits for. */
export type Blocker = WaitingReason["code"];

/** Each of them once, in the order in which they are named: the compiler refuses one that is missing. */
export const blockers = Object.keys({
  BudgetAllowsNothing: true,
  BudgetAllowsLess: true,
  PausedByOwner: true,
  Partitioned: true,
  OwnerRollout: true,
  TagNotMoved: true,
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
  /** The open run it belongs to; absent = what differs is drift. */
  readonly run?: RunRecord;
  /** An earlier run of the same campaign left it over. */
  readonly isLeftover?: true;
  /** The run brings it back to what main had before, since when (ISO): few stops hold that (rules 2.3). Absent = forward. */
  readonly rollbackSince?: string;
  /** Lower ones go first (rules 4.7): by its place in its namespace (`chooseTurn`). */
  readonly turn: number;
  /** Pattern of the bucket that decides its namespace's answer: stops may name it. */
  readonly bucket: string;
  readonly site: Site;
  /** Its namespace's own label was changed by us for this revision: no other namespace starts before it is through (rules 5.2). */
  readonly namespaceBegun: boolean;
  /** Who else of its namespace the label touches and no run moves; absent where its own label decides, or there is none. */
  readonly touched?: readonly Touched[];
  readonly state: WorkloadState;
  /** A write of ours (a move, or the undo of one) is still rolling through its pods: it takes a place of the batch. */
  readonly rolling: boolean;
  /** Pods are missing now, no matter what the cause is. */
  readonly unavailable: boolean;
}
