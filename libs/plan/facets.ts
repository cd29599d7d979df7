import { markKeys } from "#libs/fleet";

import { readMigrationBatch } from "./sail-annotations.ts";
import type { Blocker, WorkloadStanding } from "./standing.ts";

/** Classes of rules 3.1 as they are counted: what goes back is due too, and `dueLast` is tried when nothing else is left. */
export type RunClass = "there" | "moving" | "due" | "back" | "dueLast" | "blocked" | "aside";

/**
 * Which of those that are due: what rolls, what rolls or is broken, what has a place in its owner's order, and by bucket
 * what moves alone or with its namespace.
 */
export type Part = "rolling" | "urgent" | "placed" | `${"single" | "unit"} @${string}`;

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

function listParts(each: WorkloadStanding): readonly Part[] {
  const parts: Part[] = [`${each.site.kind === "namespace" ? "unit" : "single"} @${each.bucket}`];
  if (each.rolling) parts.push("rolling");
  if (each.rolling || each.unavailable) parts.push("urgent");
  if (readMigrationBatch(each) !== 0) parts.push("placed");
  return parts;
}

/** What it is to the run that it belongs to. */
function addRunFacets(facets: Facet[], each: WorkloadStanding, run: string): void {
  const name = chooseClass(each);
  if (name === undefined) return;
  facets.push(nameFacet(run, name));
  const { standing } = each;
  if (standing.kind === "due") for (const part of listParts(each)) facets.push(nameFacet(run, name, part));
  if (standing.kind === "blocked") facets.push("waiting", `${run} blocked by ${standing.by}`);
  if (standing.kind === "aside" && standing.failed !== undefined) facets.push(`${run} failed`);
  if (standing.kind === "there" && each.unavailable) facets.push(`${run} ailing`);
}

function addPodFacets(facets: Facet[], { rolling, unavailable, standing }: WorkloadStanding): void {
  if (rolling) facets.push("rolling");
  if (rolling && standing.kind !== "due") facets.push("rollingOn");
  if (rolling || unavailable) facets.push("short");
  if (unavailable && !rolling) facets.push("unhealthy");
}

/** Everything that one workload counts as. */
export function listFacets(each: WorkloadStanding): readonly Facet[] {
  if (each.standing.kind === "unmanaged") return ["workloads"];
  const facets: Facet[] = ["workloads", "managed"];
  addPodFacets(facets, each);
  if (isBegun(each)) facets.push("begun");
  if (isTouched(each)) facets.push("touched");
  if (isPutBack(each)) facets.push("putBack");
  if (each.run !== undefined) addRunFacets(facets, each, each.run.id);
  else if (each.standing.kind !== "there") facets.push("drift");
  return facets;
}
