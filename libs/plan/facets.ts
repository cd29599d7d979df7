import { markKeys } from "#libs/fleet";

import type { RunRecord } from "./ledger-state.ts";
import { readMigrationBatch } from "./sail-annotations.ts";
import type { Blocker, WorkloadStanding } from "./standing.ts";

/** Classes of rules 3.1 as they are counted: what goes back is due too, and `dueLast` is tried when nothing else is left. */
export type RunClass = "there" | "moving" | "due" | "back" | "dueLast" | "blocked" | "aside";

/**
 * Which of those that are due: what rolls, what rolls or is broken, what has a place in its owner's order, and by bucket
 * what moves alone or with its namespace; alone: by turn, where it is not the first one.
 */
export type Part = "rolling" | "urgent" | "placed" | MovePart;

export type MovePart = `${"single" | "unit"} @${string}` | `single ${number} @${string}`;

/** Something that a workload is or is not. How many are, and which, is known for a whole cluster without a walk over it. */
export type Facet =
  | "workloads"
  | "managed"
  /** Takes a place of the batch (rules 4.2). */
  | "rolling"
  /** The same, without what rolls towards what nobody wants any more: a return's stuck workload takes no place. */
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
  /** Waits for its owner while a run asks for it. */
  | "waiting"
  | `${string} ${RunClass}`
  | `${string} ${RunClass} ${Part}`
  | `${string} failed`
  /** Arrived after a move of ours. */
  | `${string} moved`
  /** Arrived, and lacks pods now: what a bake looks at (rules 6.2). */
  | `${string} ailing`
  | `${string} blocked by ${Blocker}`;

/** The class of a workload that a run counts; undefined where it counts none. */
export function chooseClass({ standing, returnSince }: WorkloadStanding): RunClass | undefined {
  switch (standing.kind) {
    case "unmanaged":
      return undefined;
    case "due":
      if (returnSince !== undefined) return "back";
      return standing.unhealthyBefore ? "dueLast" : "due";
    case "there":
    case "moving":
    case "blocked":
    case "aside":
      return standing.kind;
  }
}

export function nameFacet(run: string, name: RunClass, part?: Part): Facet {
  return part === undefined ? `${run} ${name}` : `${run} ${name} ${part}`;
}

/** Begun and not through: something in it moves, or still has to. What is tried at the end holds nobody up. */
function isBegun({ site, namespaceBegun, standing }: WorkloadStanding): boolean {
  if (site.kind !== "namespace" || !namespaceBegun) return false;
  const isDue = standing.kind === "due" && !standing.unhealthyBefore;
  return isDue || standing.kind === "moving" || standing.kind === "blocked";
}

function isTouched({ standing, workload, inventory }: WorkloadStanding): boolean {
  if (standing.kind === "there" || standing.kind === "moving") return false;
  return markKeys.previous in workload.annotations || markKeys.previous in inventory.namespace.annotations;
}

function isPutBack({ workload: { annotations, orderedFrom } }: WorkloadStanding): boolean {
  return orderedFrom !== undefined && markKeys.failed in annotations && !(markKeys.previous in annotations);
}

function isDue(name: RunClass): boolean {
  return name === "due" || name === "back" || name === "dueLast";
}

/** All that facets are made of, beside the run and the bucket. */
interface Traits {
  readonly name: RunClass;
  readonly by: Blocker | "nobody";
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

function readTraits(each: WorkloadStanding, name: RunClass): Traits {
  const { standing, rolling, unavailable, site } = each;
  return {
    name,
    by: standing.kind === "blocked" ? standing.by : "nobody",
    isUnit: site.kind === "namespace",
    isPlaced: isDue(name) && readMigrationBatch(each) !== 0,
    isRolling: rolling,
    isUnavailable: unavailable,
    isBegun: isBegun(each),
    isTouched: isTouched(each),
    isPutBack: isPutBack(each),
    hasFailed: standing.kind === "aside" && standing.failed !== undefined,
    turn: isDue(name) && site.kind !== "namespace" ? each.turn : 0,
    isMoved: standing.kind === "there" && markKeys.previous in each.workload.annotations,
  };
}

const names: readonly RunClass[] = ["there", "moving", "due", "back", "dueLast", "blocked", "aside"];
const blockers: readonly Traits["by"][] = ["nobody", "disruptionBudget", "paused", "ownerRollout", "tag"];

/** Another number for other traits. */
function numberTraits(of: Traits): number {
  const pods = (of.isRolling ? 1 : 0) + (of.isUnavailable ? 2 : 0) + (of.isPutBack ? 4 : 0) + (of.hasFailed ? 8 : 0);
  const site = (of.isUnit ? 1 : 0) + (of.isPlaced ? 2 : 0) + (of.isBegun ? 4 : 0) + (of.isTouched ? 8 : 0);
  const moved = of.isMoved ? 1 : 0;
  const kind = names.indexOf(of.name) + names.length * blockers.indexOf(of.by);
  return pods + 16 * (site + 16 * (moved + 2 * (kind + names.length * blockers.length * of.turn)));
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
function addRunFacets(facets: Facet[], of: Traits, run: string, bucket: string): void {
  const { name, by } = of;
  facets.push(nameFacet(run, name));
  if (isDue(name)) for (const part of listParts(of, bucket)) facets.push(nameFacet(run, name, part));
  if (by !== "nobody") facets.push("waiting", `${run} blocked by ${by}`);
  if (of.hasFailed) facets.push(`${run} failed`);
  if (of.isMoved) facets.push(`${run} moved`);
  if (name === "there" && of.isUnavailable) facets.push(`${run} ailing`);
}

function addPodFacets(facets: Facet[], { name, isRolling, isUnavailable }: Traits): void {
  if (isRolling) facets.push("rolling");
  if (isRolling && !isDue(name)) facets.push("rollingOn");
  if (isRolling || isUnavailable) facets.push("short");
  if (isUnavailable && !isRolling) facets.push("unhealthy");
}

function writeFacets(of: Traits, run: string | undefined, bucket: string): readonly Facet[] {
  const facets: Facet[] = ["workloads", "managed"];
  addPodFacets(facets, of);
  if (of.isBegun) facets.push("begun");
  if (of.isTouched) facets.push("touched");
  if (of.isPutBack) facets.push("putBack");
  if (run !== undefined) addRunFacets(facets, of, run, bucket);
  else if (of.name !== "there") facets.push("drift");
  return facets;
}

/** By bucket, then by the number of the traits. */
type Written = Map<string, Map<number, readonly Facet[]>>;

const byRun = new WeakMap<RunRecord, Written>();
const ofNoRun: Map<number, readonly Facet[]> = new Map();

function recallLists(run: RunRecord | undefined, bucket: string): Map<number, readonly Facet[]> {
  if (run === undefined) return ofNoRun;
  const written: Written = byRun.get(run) ?? new Map();
  if (written.size === 0) byRun.set(run, written);
  const lists = written.get(bucket) ?? new Map<number, readonly Facet[]>();
  if (lists.size === 0) written.set(bucket, lists);
  return lists;
}

const unmanaged: readonly Facet[] = ["workloads"];

/** Everything that one workload counts as. Few of a fleet differ in that: each list is written once, and shared. */
export function listFacets(each: WorkloadStanding): readonly Facet[] {
  const name = chooseClass(each);
  if (name === undefined) return unmanaged;
  const { run, bucket } = each;
  const lists = recallLists(run, bucket);
  const traits = readTraits(each, name);
  const number = numberTraits(traits);
  const known = lists.get(number);
  if (known !== undefined) return known;
  const facets = writeFacets(traits, run?.id, bucket);
  lists.set(number, facets);
  return facets;
}
