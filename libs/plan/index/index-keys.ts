import { annotationKeys } from "#libs/fleet";

import { type Blocker, blockers, isInPlace, type JudgedWorkload, readMigrationBatch } from "../workloads/index.ts";

/** Classes of rules 3.1 as they are counted: what is rolled back is due too, and `pendingLast` is tried when nothing else is left. */
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

/** What workloads of one bucket have in common that are due: they move alone or with their namespace, and at the same turn. */
export interface MoveGroup {
  readonly way: "single" | "unit";
  /** 0: the first one, and what moves with its namespace. */
  readonly turn: number;
  readonly bucket: string;
}

/** Which of those that are due: what rolls; what rolls or is broken; what has a place in its owner's order. */
export type Part = "rolling" | "urgent" | "placed";

/**
 * What a workload is to its run: a class; or failed in it; `marked`: kept skipped by a failure of it or of an earlier run; `moved`:
 * in place after a move of ours; migrated, and without pods now (rules 6.2).
 */
export type RunFact = RunClass | "failed" | "marked" | "moved" | "ailing";

/** What a workload is to a run; `only`: a part or a group of those that are due, or what blocks those that wait. */
export interface RunKey {
  readonly run: string;
  readonly is: RunFact;
  readonly only?: Part | Blocker | MoveGroup;
}

/** What a workload is in its cluster, whatever run it belongs to. */
export type ClusterKey =
  | "workloads"
  | "managed"
  /** Takes a place of the batch (rules 4.2). */
  | "rolling"
  /** Rolls, or lacks pods: what `maxUnavailable` looks at. */
  | "short"
  | "unhealthy"
  | "drift"
  /** Drift that its owner's write made of what a run had moved. */
  | "overwritten"
  /** Its namespace moves as a unit, has begun, and is not through (rules 5.2). */
  | "begun"
  /** Something of ours stands on it, or on its namespace, and it is neither moving nor known to have arrived. */
  | "touched"
  /** The label of its namespace, which we changed, touches others that no run moves. */
  | "leavesBehind"
  /** Failed and put back by us, of a kind that may not come up again by itself. */
  | "putBack"
  /** Its move failed, in whichever run, and no one dealt with that (`listFailed`). */
  | "failed"
  /** Waits for its owner while a run wants it. */
  | "waiting";

/** Something that a workload is or is not. How many are, and which, is known for a whole cluster without a walk over it. */
export type IndexKey = ClusterKey | RunKey;

/** The class of a workload that a run counts; undefined where it counts none. */
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

/** Begun and not through: something in it moves, or still has to. What is tried at the end holds no workload up. */
function isBegun({ site, namespaceBegun, state }: JudgedWorkload): boolean {
  if (site.kind !== "namespace" || !namespaceBegun) return false;
  const isDue = state.kind === "pending" && !state.unhealthyBefore;
  return isDue || state.kind === "migrating" || state.kind === "waiting";
}

function isTouched({ state, workload, inventory }: JudgedWorkload): boolean {
  if (state.kind === "migrating" || state.kind === "idle") return false;
  const { [annotationKeys.run]: run, [annotationKeys.arrived]: arrived } = workload.annotations;
  if (state.kind === "migrated") return annotationKeys.previous in workload.annotations && arrived !== run;
  return annotationKeys.previous in workload.annotations || annotationKeys.previous in inventory.namespace.annotations;
}

function isPutBack({ workload: { annotations, orderedFrom } }: JudgedWorkload): boolean {
  return orderedFrom !== undefined && annotationKeys.failed in annotations && !(annotationKeys.previous in annotations);
}

function isDue(name: RunClass): boolean {
  return name === "pending" || name === "rollback" || name === "pendingLast";
}

function rankFailure({ state }: JudgedWorkload): Traits["failure"] {
  if (state.kind !== "skipped" || state.mark === undefined) return 0;
  return state.failed === undefined ? 1 : 2;
}

/** All that index keys are made of, next to the run and the bucket. */
interface Traits {
  readonly name: RunClass;
  readonly by: Blocker | "none";
  readonly isUnit: boolean;
  readonly isPlaced: boolean;
  readonly isRolling: boolean;
  readonly isUnavailable: boolean;
  readonly isBegun: boolean;
  readonly isTouched: boolean;
  readonly isOverwritten: boolean;
  readonly isLeavingBehind: boolean;
  readonly isPutBack: boolean;
  /** Whose failure keeps it skipped: no one's, an earlier run's, its own run's. */
  readonly failure: 0 | 1 | 2;
  readonly isMoved: boolean;
  /** 0 where it has none: what is not due, or moves with its namespace. */
  readonly turn: number;
}

function readTraits(each: JudgedWorkload, name: RunClass): Traits {
  const { state, rolling, unavailable, site } = each;
  return {
    name,
    by: state.kind === "waiting" ? state.reason.code : "none",
    isUnit: site.kind === "namespace",
    isPlaced: isDue(name) && readMigrationBatch(each) !== 0,
    isRolling: rolling,
    isUnavailable: unavailable,
    isBegun: isBegun(each),
    isTouched: isTouched(each),
    isOverwritten: state.kind === "skipped" && state.reason.code === "Overwritten",
    isLeavingBehind: each.namespaceBegun && each.touched !== undefined,
    isPutBack: isPutBack(each),
    failure: rankFailure(each),
    turn: isDue(name) && site.kind !== "namespace" ? each.turn : 0,
    isMoved: isInPlace(state) && annotationKeys.previous in each.workload.annotations,
  };
}

const waitsFor: readonly Traits["by"][] = ["none", ...blockers];

/** Another number for other traits. */
function numberTraits(of: Traits): number {
  const pods = Number(of.isRolling) + 2 * Number(of.isUnavailable) + 4 * Number(of.isPutBack);
  const site =
    Number(of.isUnit) +
    2 * Number(of.isPlaced) +
    4 * Number(of.isBegun) +
    8 * Number(of.isTouched) +
    16 * Number(of.isOverwritten) +
    32 * Number(of.isLeavingBehind);
  const moved = Number(of.isMoved) + 2 * of.failure;
  const kind = runClasses.indexOf(of.name) + runClasses.length * waitsFor.indexOf(of.by);
  return pods + 16 * (site + 64 * (moved + 6 * (kind + runClasses.length * waitsFor.length * of.turn)));
}

function listParts({ isRolling, isUnavailable, isPlaced }: Traits): readonly Part[] {
  const parts: Part[] = [];
  if (isRolling) parts.push("rolling");
  if (isRolling || isUnavailable) parts.push("urgent");
  if (isPlaced) parts.push("placed");
  return parts;
}

/** What it is to the run that it belongs to. */
function listRunKeys(of: Traits, run: string, bucket: string): readonly IndexKey[] {
  const { name, by, isUnit, turn } = of;
  const keys: IndexKey[] = [{ run, is: name }];
  if (isDue(name)) {
    keys.push({ run, is: name, only: { way: isUnit ? "unit" : "single", turn, bucket } });
    for (const only of listParts(of)) keys.push({ run, is: name, only });
  }
  if (by !== "none") keys.push("waiting", { run, is: "waiting", only: by });
  if (of.failure === 2) keys.push({ run, is: "failed" });
  if (of.failure > 0) keys.push({ run, is: "marked" });
  if (of.isMoved) keys.push({ run, is: "moved" });
  if (name === "migrated" && of.isUnavailable) keys.push({ run, is: "ailing" });
  return keys;
}

function listPodKeys({ isRolling, isUnavailable }: Traits): readonly IndexKey[] {
  const keys: IndexKey[] = [];
  if (isRolling) keys.push("rolling");
  if (isRolling || isUnavailable) keys.push("short");
  if (isUnavailable && !isRolling) keys.push("unhealthy");
  return keys;
}

function listTraitKeys(of: Traits, run: string | undefined, bucket: string): readonly IndexKey[] {
  const keys: IndexKey[] = ["workloads", "managed", ...listPodKeys(of)];
  if (of.isBegun) keys.push("begun");
  if (of.isTouched) keys.push("touched");
  if (of.isLeavingBehind) keys.push("leavesBehind");
  if (of.isPutBack) keys.push("putBack");
  if (of.failure > 0) keys.push("failed");
  if (run !== undefined) keys.push(...listRunKeys(of, run, bucket));
  else if (of.name !== "migrated" && of.name !== "idle")
    keys.push("drift", ...(of.isOverwritten ? (["overwritten"] as const) : []));
  return keys;
}

/** Everything that one workload counts as. */
export function listIndexKeys(each: JudgedWorkload): readonly IndexKey[] {
  const name = chooseClass(each);
  // What moved and is not managed any more takes its place until it has settled.
  if (name === undefined) return each.rolling ? ["workloads", "rolling", "short"] : ["workloads"];
  return listTraitKeys(readTraits(each, name), each.run?.id, each.bucket);
}

/** The same number for two workloads of one run and one bucket only when they count as the same; below 0 where it is unmanaged. */
export function numberIndexKeys(each: JudgedWorkload): number {
  const name = chooseClass(each);
  if (name === undefined) return each.rolling ? -2 : -1;
  return numberTraits(readTraits(each, name));
}
