import { annotationKeys } from "#libs/fleet";

import type { RunRecord } from "../records/index.ts";
import { type Blocker, blockers, type JudgedWorkload, readMigrationBatch } from "../workloads/index.ts";

/** Classes of rules 3.1 as they are counted: what is rolled back is due too, and `pendingLast` is tried when nothing else is left. */
export type RunClass = "migrated" | "migrating" | "pending" | "rollback" | "pendingLast" | "waiting" | "skipped";

/**
 * Which of those that are due: what rolls, what rolls or is broken, what has a place in its owner's order, and by bucket
 * what moves alone or with its namespace; alone: by turn, where it is not the first one.
 */
export type Part = "rolling" | "urgent" | "placed" | MovePart;

export type MovePart = `${"single" | "unit"} @${string}` | `single ${number} @${string}`;

/** Something that a workload is or is not. How many are, and which, is known for a whole cluster without a walk over it. */
export type IndexKey =
  | "workloads"
  | "managed"
  /** Takes a place of the batch (rules 4.2). */
  | "rolling"
  /** The same, without what rolls towards what no run wants any more: a rollback's stuck workload takes no place. */
  | "rollingOn"
  /** Rolls, or lacks pods: what `maxUnavailable` looks at. */
  | "short"
  | "unhealthy"
  | "drift"
  /** Its namespace moves as a unit, has begun, and is not through (rules 5.2). */
  | "begun"
  /** Something of ours stands on it, or on its namespace, and it is neither moving nor there. */
  | "touched"
  /** Failed and put back by us, of a kind that may not come up again by itself. */
  | "putBack"
  /** Waits for its owner while a run wants it. */
  | "waiting"
  | `${string} ${RunClass}`
  | `${string} ${RunClass} ${Part}`
  | `${string} failed`
  /** Arrived after a move of ours. */
  | `${string} moved`
  /** Arrived, and lacks pods now: what a bake looks at (rules 6.2). */
  | `${string} ailing`
  | `${string} waiting by ${Blocker}`;

/** The class of a workload that a run counts; undefined where it counts none. */
export function chooseClass({ state, rollbackSince }: JudgedWorkload): RunClass | undefined {
  switch (state.kind) {
    case "unmanaged":
      return undefined;
    case "pending":
      if (rollbackSince !== undefined) return "rollback";
      return state.unhealthyBefore ? "pendingLast" : "pending";
    case "migrated":
    case "migrating":
    case "waiting":
    case "skipped":
      return state.kind;
  }
}

export function nameIndexKey(run: string, name: RunClass, part?: Part): IndexKey {
  return part === undefined ? `${run} ${name}` : `${run} ${name} ${part}`;
}

/** Begun and not through: something in it moves, or still has to. What is tried at the end holds no workload up. */
function isBegun({ site, namespaceBegun, state }: JudgedWorkload): boolean {
  if (site.kind !== "namespace" || !namespaceBegun) return false;
  const isDue = state.kind === "pending" && !state.unhealthyBefore;
  return isDue || state.kind === "migrating" || state.kind === "waiting";
}

function isTouched({ state, workload, inventory }: JudgedWorkload): boolean {
  if (state.kind === "migrated" || state.kind === "migrating") return false;
  return annotationKeys.previous in workload.annotations || annotationKeys.previous in inventory.namespace.annotations;
}

function isPutBack({ workload: { annotations, orderedFrom } }: JudgedWorkload): boolean {
  return orderedFrom !== undefined && annotationKeys.failed in annotations && !(annotationKeys.previous in annotations);
}

function isDue(name: RunClass): boolean {
  return name === "pending" || name === "rollback" || name === "pendingLast";
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
  readonly isPutBack: boolean;
  readonly hasFailed: boolean;
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
    isPutBack: isPutBack(each),
    hasFailed: state.kind === "skipped" && state.failed !== undefined,
    turn: isDue(name) && site.kind !== "namespace" ? each.turn : 0,
    isMoved: state.kind === "migrated" && annotationKeys.previous in each.workload.annotations,
  };
}

const names: readonly RunClass[] = [
  "migrated",
  "migrating",
  "pending",
  "rollback",
  "pendingLast",
  "waiting",
  "skipped",
];
const waitsFor: readonly Traits["by"][] = ["none", ...blockers];

/** Another number for other traits. */
function numberTraits(of: Traits): number {
  const pods = (of.isRolling ? 1 : 0) + (of.isUnavailable ? 2 : 0) + (of.isPutBack ? 4 : 0) + (of.hasFailed ? 8 : 0);
  const site = (of.isUnit ? 1 : 0) + (of.isPlaced ? 2 : 0) + (of.isBegun ? 4 : 0) + (of.isTouched ? 8 : 0);
  const moved = of.isMoved ? 1 : 0;
  const kind = names.indexOf(of.name) + names.length * waitsFor.indexOf(of.by);
  return pods + 16 * (site + 16 * (moved + 2 * (kind + names.length * waitsFor.length * of.turn)));
}

/** How it moves, and when it has its turn. */
function nameMovePart({ isUnit, turn }: Traits, bucket: string): MovePart {
  if (isUnit) return `unit @${bucket}`;
  return turn === 0 ? `single @${bucket}` : `single ${turn} @${bucket}`;
}

function listParts(of: Traits, bucket: string): readonly Part[] {
  const { isRolling, isUnavailable, isPlaced } = of;
  const parts: Part[] = [nameMovePart(of, bucket)];
  if (isRolling) parts.push("rolling");
  if (isRolling || isUnavailable) parts.push("urgent");
  if (isPlaced) parts.push("placed");
  return parts;
}

/** What it is to the run that it belongs to. */
function addRunIndexKeys(indexKeys: IndexKey[], of: Traits, run: string, bucket: string): void {
  const { name, by } = of;
  indexKeys.push(nameIndexKey(run, name));
  if (isDue(name)) for (const part of listParts(of, bucket)) indexKeys.push(nameIndexKey(run, name, part));
  if (by !== "none") indexKeys.push("waiting", `${run} waiting by ${by}`);
  if (of.hasFailed) indexKeys.push(`${run} failed`);
  if (of.isMoved) indexKeys.push(`${run} moved`);
  if (name === "migrated" && of.isUnavailable) indexKeys.push(`${run} ailing`);
}

function addPodIndexKeys(indexKeys: IndexKey[], { name, isRolling, isUnavailable }: Traits): void {
  if (isRolling) indexKeys.push("rolling");
  if (isRolling && !isDue(name)) indexKeys.push("rollingOn");
  if (isRolling || isUnavailable) indexKeys.push("short");
  if (isUnavailable && !isRolling) indexKeys.push("unhealthy");
}

function writeIndexKeys(of: Traits, run: string | undefined, bucket: string): readonly IndexKey[] {
  const indexKeys: IndexKey[] = ["workloads", "managed"];
  addPodIndexKeys(indexKeys, of);
  if (of.isBegun) indexKeys.push("begun");
  if (of.isTouched) indexKeys.push("touched");
  if (of.isPutBack) indexKeys.push("putBack");
  if (run !== undefined) addRunIndexKeys(indexKeys, of, run, bucket);
  else if (of.name !== "migrated") indexKeys.push("drift");
  return indexKeys;
}

/** By bucket, then by the number of the traits. */
type Written = Map<string, Map<number, readonly IndexKey[]>>;

const byRun = new WeakMap<RunRecord, Written>();
const ofNoRun: Map<number, readonly IndexKey[]> = new Map();

function recallLists(run: RunRecord | undefined, bucket: string): Map<number, readonly IndexKey[]> {
  if (run === undefined) return ofNoRun;
  const written: Written = byRun.get(run) ?? new Map();
  if (written.size === 0) byRun.set(run, written);
  const lists = written.get(bucket) ?? new Map<number, readonly IndexKey[]>();
  if (lists.size === 0) written.set(bucket, lists);
  return lists;
}

const unmanaged: readonly IndexKey[] = ["workloads"];

/** Everything that one workload counts as. Few of a fleet differ in that: each list is written once, and shared. */
export function listIndexKeys(each: JudgedWorkload): readonly IndexKey[] {
  const name = chooseClass(each);
  if (name === undefined) return unmanaged;
  const { run, bucket } = each;
  const lists = recallLists(run, bucket);
  const traits = readTraits(each, name);
  const number = numberTraits(traits);
  const known = lists.get(number);
  if (known !== undefined) return known;
  const indexKeys = writeIndexKeys(traits, run?.id, bucket);
  lists.set(number, indexKeys);
  return indexKeys;
}
