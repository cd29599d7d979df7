import { annotationKeys } from "#libs/fleet";

import { type Blocker, blockers, isInPlace, type JudgedWorkload, readMigrationBatch } from "../workloads/index.ts";

/**
 * The classes of a run's workloads that are counted: `rollback` ones are pending too, and `pendingLast` is tried when nothing
 * else is left.
 */
export const runClasses = [
  "migrated",
  "idle",
  "migrating",
  "pending",
  "rollback",
  "pendingLast",
  "waiting",
  "skipped",
] as const;
export type RunClass = (typeof runClasses)[number];

/**
 * Pending workloads of one bucket that are chosen together: they move alone or with their namespace, and have the same turn.
 */
export interface MoveGroup {
  readonly way: "single" | "unit";
  /** 0: the first one, and those that move with their namespace. */
  readonly turn: number;
  readonly bucket: string;
}

/** Parts of the pending workloads: rolling ones; rolling or broken ones; those with a place in their owner's order. */
export type Part = "rolling" | "urgent" | "placed";

/**
 * A workload's relation to its run: a class; or failed in it; `failureAnnotated`: skipped because of a failure in this or
 * an earlier run; `moved`: in place after a move of ours; `ailing`: migrated, and lacks pods now (rules 6.2); `leftover`: an
 * earlier stage left it over.
 */
export type RunFact = RunClass | "failed" | "failureAnnotated" | "moved" | "ailing" | "leftover";

/** A workload's relation to a run; `only`: a part or a group of the pending ones, or what blocks the waiting ones. */
export interface RunKey {
  readonly run: string;
  readonly is: RunFact;
  readonly only?: Part | Blocker | MoveGroup;
}

/** A workload's relation to its cluster, independent of runs. */
export type ClusterKey =
  | "workloads"
  | "managed"
  /** Managed, and it has the revision that main wants. */
  | "inPlace"
  /** Takes a place of the batch (rules 4.2). */
  | "rolling"
  /** Rolls, or lacks pods: considered by `maxUnavailable`. */
  | "lacksPods"
  | "unhealthy"
  | "drift"
  /** Drift: after a run's move its owner wrote another revision to our field. */
  | "overwritten"
  /** Drift that a converging run would move, without such a write: created late, replaced as a whole, older than the baseline. */
  | "unmoved"
  /** Its namespace moves as a unit, has begun, and is not complete (rules 5.2). */
  | "begun"
  /** It or its namespace has annotations of ours, and it is neither migrating nor known to have migrated. */
  | "ourAnnotations"
  /** The label of its namespace, which we changed, affects others that no run moves. */
  | "leavesBehind"
  /** A failed and undone StatefulSet with `OrderedReady`, whose undo may be stuck behind a pod that never becomes ready. */
  | "putBack"
  /** Its move failed in some run, and that was not dealt with (`listFailed`). */
  | "failed"
  /** Waits for its owner while a run wants it. */
  | "waiting";

/** A property by which workloads are counted. The counts and members for a whole cluster are kept without a walk over it. */
export type IndexKey = ClusterKey | RunKey;

/** The class of a workload in a run's counts; undefined where it is not counted. */
export function chooseClass({ state, rollbackSince }: JudgedWorkload): RunClass | undefined {
  switch (state.kind) {
    case "unmanaged":
      return undefined;
    case "pending":
      if (rollbackSince !== undefined) return "rollback";
      return state.unhealthyBefore ? "pendingLast" : "pending";
    case "migrated":
    case "idle":
    case "migrating":
    case "waiting":
    case "skipped":
      return state.kind;
  }
}

/** Begun and not complete: something in it migrates, or still has to. `pendingLast` does not count. */
function isBegun({ site, namespaceBegun, state }: JudgedWorkload): boolean {
  if (site.kind !== "namespace" || !namespaceBegun) return false;
  const isPendingNow = state.kind === "pending" && !state.unhealthyBefore;
  // What is left to owners' deploys may take weeks: the next namespace is relabelled meanwhile.
  const isWaiting = state.kind === "waiting" && state.reason.code !== "AwaitsDeploy";
  return isPendingNow || state.kind === "migrating" || isWaiting;
}

/** Whether it or its namespace has annotations of ours; not where it migrates, or is known to have migrated. */
function hasOurAnnotations({ state, workload, inventory }: JudgedWorkload): boolean {
  if (state.kind === "migrating" || state.kind === "idle") return false;
  const { [annotationKeys.run]: run, [annotationKeys.arrived]: arrived } = workload.annotations;
  if (state.kind === "migrated") return annotationKeys.previous in workload.annotations && arrived !== run;
  return annotationKeys.previous in workload.annotations || annotationKeys.previous in inventory.namespace.annotations;
}

function isPutBack({ workload: { annotations, orderedFrom } }: JudgedWorkload): boolean {
  return orderedFrom !== undefined && annotationKeys.failed in annotations && !(annotationKeys.previous in annotations);
}

function isDue(runClass: RunClass): boolean {
  return runClass === "pending" || runClass === "rollback" || runClass === "pendingLast";
}

function rankFailure({ state }: JudgedWorkload): Traits["failure"] {
  if (state.kind !== "skipped" || state.failureAnnotation === undefined) return 0;
  return state.failed === undefined ? 1 : 2;
}

/** The properties that index keys are made of, besides run and bucket. */
interface Traits {
  readonly runClass: RunClass;
  readonly by: Blocker | "none";
  readonly isUnit: boolean;
  readonly isPlaced: boolean;
  readonly isRolling: boolean;
  readonly isUnavailable: boolean;
  readonly isBegun: boolean;
  readonly hasOurAnnotations: boolean;
  readonly isOverwritten: boolean;
  readonly isLeavingBehind: boolean;
  readonly isPutBack: boolean;
  /** The failure that keeps it skipped: none, an earlier run's, its own run's. */
  readonly failure: 0 | 1 | 2;
  readonly isMoved: boolean;
  readonly isLeftover: boolean;
  /** 0 where it has none: it is not pending, or moves with its namespace. */
  readonly turn: number;
}

function readTraits(each: JudgedWorkload, runClass: RunClass): Traits {
  const { state, rolling, unavailable, site } = each;
  return {
    runClass,
    by: state.kind === "waiting" ? state.reason.code : "none",
    isUnit: site.kind === "namespace",
    isPlaced: isDue(runClass) && readMigrationBatch(each) !== 0,
    isRolling: rolling,
    isUnavailable: unavailable,
    isBegun: isBegun(each),
    hasOurAnnotations: hasOurAnnotations(each),
    isOverwritten: state.kind === "skipped" && state.reason.code === "Overwritten",
    isLeavingBehind: each.namespaceBegun && each.touched !== undefined,
    isPutBack: isPutBack(each),
    failure: rankFailure(each),
    turn: isDue(runClass) && site.kind !== "namespace" ? each.turn : 0,
    isLeftover: each.isLeftover === true,
    isMoved: isInPlace(state) && annotationKeys.previous in each.workload.annotations,
  };
}

const waitsFor: readonly Traits["by"][] = ["none", ...blockers];

/** A different number for different traits. */
function numberTraits(of: Traits): number {
  const pods = Number(of.isRolling) + 2 * Number(of.isUnavailable) + 4 * Number(of.isPutBack);
  const site =
    Number(of.isUnit) +
    2 * Number(of.isPlaced) +
    4 * Number(of.isBegun) +
    8 * Number(of.hasOurAnnotations) +
    16 * Number(of.isOverwritten) +
    32 * Number(of.isLeavingBehind);
  const moved = Number(of.isMoved) + 2 * of.failure + 6 * Number(of.isLeftover);
  const kind = runClasses.indexOf(of.runClass) + runClasses.length * waitsFor.indexOf(of.by);
  return pods + 16 * (site + 64 * (moved + 12 * (kind + runClasses.length * waitsFor.length * of.turn)));
}

function listParts({ isRolling, isUnavailable, isPlaced }: Traits): readonly Part[] {
  const parts: Part[] = [];
  if (isRolling) parts.push("rolling");
  if (isRolling || isUnavailable) parts.push("urgent");
  if (isPlaced) parts.push("placed");
  return parts;
}

function listWaitKeys(by: Traits["by"], run: string): readonly IndexKey[] {
  if (by === "none") return [];
  const own = { run, is: "waiting", only: by } as const;
  // Of `AwaitsDeploy` the time is not remembered: its owner's turn begins at the deadline.
  return by === "AwaitsDeploy" ? [own] : ["waiting", own];
}

/** Its keys in the run that it belongs to. */
function listRunKeys(of: Traits, run: string, bucket: string): readonly IndexKey[] {
  const { runClass: is, by, isUnit, turn } = of;
  const keys: IndexKey[] = [{ run, is }];
  if (isDue(is)) {
    keys.push({ run, is, only: { way: isUnit ? "unit" : "single", turn, bucket } });
    for (const only of listParts(of)) keys.push({ run, is, only });
  }
  keys.push(...listWaitKeys(by, run));
  if (of.failure === 2) keys.push({ run, is: "failed" });
  if (of.failure > 0) keys.push({ run, is: "failureAnnotated" });
  if (of.isMoved) keys.push({ run, is: "moved" });
  if (of.isLeftover) keys.push({ run, is: "leftover" });
  if (is === "migrated" && of.isUnavailable) keys.push({ run, is: "ailing" });
  return keys;
}

function listPodKeys({ isRolling, isUnavailable }: Traits): readonly IndexKey[] {
  const keys: IndexKey[] = [];
  if (isRolling) keys.push("rolling");
  if (isRolling || isUnavailable) keys.push("lacksPods");
  if (isUnavailable && !isRolling) keys.push("unhealthy");
  return keys;
}

function listTraitKeys(of: Traits, run: string | undefined, bucket: string): readonly IndexKey[] {
  const keys: IndexKey[] = ["workloads", "managed", ...listPodKeys(of)];
  if (of.runClass === "migrated" || of.runClass === "idle") keys.push("inPlace");
  if (of.isBegun) keys.push("begun");
  if (of.hasOurAnnotations) keys.push("ourAnnotations");
  if (of.isLeavingBehind) keys.push("leavesBehind");
  if (of.isPutBack) keys.push("putBack");
  if (of.failure > 0) keys.push("failed");
  if (run !== undefined) keys.push(...listRunKeys(of, run, bucket));
  else keys.push(...listDriftKeys(of));
  return keys;
}

/** Of a workload that no run moves. A tag is moved by its owner, who moves all its namespaces at once. */
function listDriftKeys(of: Traits): readonly IndexKey[] {
  if (of.runClass === "migrated" || of.runClass === "idle") return [];
  const isUnmoved = isDue(of.runClass) || (of.runClass === "waiting" && of.by !== "TagNotMoved");
  return [
    "drift",
    ...(of.isOverwritten ? (["overwritten"] as const) : []),
    ...(isUnmoved ? (["unmoved"] as const) : []),
  ];
}

/** All keys of one workload. */
export function listIndexKeys(each: JudgedWorkload): readonly IndexKey[] {
  const runClass = chooseClass(each);
  // A workload that moved and is not managed any more keeps its place until it has settled.
  if (runClass === undefined) return each.rolling ? ["workloads", "rolling", "lacksPods"] : ["workloads"];
  return listTraitKeys(readTraits(each, runClass), each.run?.id, each.bucket);
}

/** Equal for two workloads of one run and bucket only if they have the same keys; below 0 for unmanaged ones. */
export function numberIndexKeys(each: JudgedWorkload): number {
  const runClass = chooseClass(each);
  if (runClass === undefined) return each.rolling ? -2 : -1;
  return numberTraits(readTraits(each, runClass));
}
