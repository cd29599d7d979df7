import type { PodGroup, TemplateFacts, Workload, WriteRefusal } from "#libs/fleet";

import { lookUp } from "#libs/input";

import type { ApiMap, ApiSelector } from "../api-types.ts";
import { matchesSelector } from "./label-selector.ts";
import type { BudgetFacts, WorkloadRecord } from "./project-workload.ts";

/** A PodDisruptionBudget. */
export interface Budget {
  readonly namespace: string;
  readonly name: string;
  readonly selector: ApiSelector | undefined;
  readonly disruptionsAllowed: number;
  /** Epoch ms by the API server's clock; absent while it allows something, or where unknown. */
  readonly emptySince: number | undefined;
}

/** Pods of one revision with one image of the sidecar. */
interface CountedGroup {
  readonly revision: string | undefined;
  /** UID of the workload that made them; undefined = it is known by its name only. */
  readonly ownerUid: string | undefined;
  readonly image: string | undefined;
  count: number;
  ready: number;
  /** When each of them was made, in no order, epoch seconds by the API server's clock; `unknownAge` where it did not report. */
  readonly made: number[];
}

/** Everything known of one workload: its object, and its pods, which may be seen before it. */
export interface WorkloadCell {
  readonly key: string;
  readonly namespace: string;
  record: WorkloadRecord | undefined;
  /** Counts only: pods come and go too often, and are too many, to be kept as objects. */
  readonly groups: CountedGroup[];
  /** How many live pods there are of each template, by its hash. */
  readonly hashes: Map<string, number>;
  /** What was refused of our last write to it. */
  refused: WriteRefusal | undefined;
  /** The fact made of it; dropped at each change. */
  built: Workload | undefined;
}

export function createWorkloadCell(namespace: string, key: string): WorkloadCell {
  return { key, namespace, record: undefined, refused: undefined, groups: [], hashes: new Map(), built: undefined };
}

/** One pod, as it is counted. */
export interface CountedPod {
  readonly revision: string | undefined;
  /** As `CountedGroup.ownerUid`. */
  readonly ownerUid?: string | undefined;
  readonly image: string | undefined;
  readonly ready: boolean;
  /** As `CountedGroup.made`. */
  readonly made: number;
  readonly hash: string;
}

/** The API server does not report when a pod was made. */
export const unknownAge = -1;

function isGroupOf(group: CountedGroup, { revision, ownerUid, image }: CountedPod): boolean {
  return group.revision === revision && group.ownerUid === ownerUid && group.image === image;
}

/** Adds (+1) or takes away (-1) one pod. */
export function countPod(cell: WorkloadCell, pod: CountedPod, by: 1 | -1): void {
  const { revision, ownerUid, image, ready, made, hash } = pod;
  cell.built = undefined;
  countHash(cell, hash, by);
  let group = cell.groups.find((each) => isGroupOf(each, pod));
  if (group === undefined) cell.groups.push((group = { revision, ownerUid, image, count: 0, ready: 0, made: [] }));
  group.count += by;
  if (ready) group.ready += by;
  if (by === 1) group.made.push(made);
  else group.made.splice(group.made.indexOf(made), 1);
  if (group.count === 0) cell.groups.splice(cell.groups.indexOf(group), 1);
}

function countHash({ hashes }: WorkloadCell, hash: string, by: 1 | -1): void {
  const count = (hashes.get(hash) ?? 0) + by;
  if (count === 0) hashes.delete(hash);
  else hashes.set(hash, count);
}

/** What of its template decides whether new pods are labelled: the hash only while all live pods are of one template. */
export function describeTemplate({ hashes, record }: WorkloadCell): TemplateFacts {
  const [hash = ""] = hashes.size === 1 ? hashes.keys() : [];
  return {
    ...(hash === "" ? {} : { hash }),
    ...(record?.deployedAt === undefined ? {} : { deployedAt: record.deployedAt }),
  };
}

/** What else is in its namespace and says something about it. */
export interface Neighbours {
  readonly budgets: ReadonlyMap<string, Budget>;
  /** By the labels of live pods of Argo Rollouts. */
  readonly rollouts: ReadonlyMap<ApiMap, number>;
}

/** The workload as of now; the same object until something of it changes. */
export function buildWorkload(
  cell: WorkloadCell,
  { budgets, rollouts }: Neighbours,
  usualImageOf: UsualImageOf,
): Workload | undefined {
  if (cell.built !== undefined || cell.record === undefined) return cell.built;
  const { facts, templateLabels, rolloutUnavailable } = cell.record;
  const own = [...budgets.values()].filter(({ selector }) => matchesSelector(selector, templateLabels));
  const groups = cell.groups.filter((group) => isOwn(cell, group));
  cell.built = {
    ...facts,
    pods: describeGroups(groups, facts.times !== undefined, usualImageOf),
    ...describeBudgets(own, rolloutUnavailable),
    ...describeRollout(cell.record, rollouts.keys()),
    ...(cell.refused === undefined ? {} : { refused: cell.refused }),
  };
  return cell.built;
}

/** Pods of an earlier workload of its name are none of its own. */
function isOwn({ record }: WorkloadCell, { ownerUid }: CountedGroup): boolean {
  return record !== undefined && (ownerUid === undefined || ownerUid === record.facts.uid);
}

/** Pods that no workload answers for: it was deleted without them, or its name belongs to another object by now. */
export function listOrphans(cell: WorkloadCell): readonly { readonly revision: string; readonly count: number }[] {
  return cell.groups.flatMap((group) => {
    const { revision, count } = group;
    return revision === undefined || isOwn(cell, group) ? [] : [{ revision, count }];
  });
}

/** An Argo Rollout that refers to the Deployment makes pods of its template, so that its selector matches them. */
function describeRollout(
  { facts, templateLabels, selectorKeys }: WorkloadRecord,
  rollouts: Iterable<ApiMap>,
): Pick<Workload, "managedByRollout"> {
  if (facts.kind !== "Deployment" || selectorKeys.length === 0) return {};
  // What a selector asks for its own template has: the API server sees to that.
  for (const labels of rollouts)
    if (selectorKeys.every((key) => lookUp(labels, key) === lookUp(templateLabels, key)))
      return { managedByRollout: true };
  return {};
}

/** While one of several allows nothing, none of them matters that began later. */
function describeBudgets(own: readonly Budget[], rolloutUnavailable: number | undefined): BudgetFacts {
  if (own.length === 0) return {};
  const disruptionsAllowed = Math.min(...own.map((each) => each.disruptionsAllowed));
  const since = own.flatMap(({ emptySince }) => emptySince ?? []);
  return {
    disruptionsAllowed,
    ...(rolloutUnavailable === undefined ? {} : { rolloutUnavailable }),
    ...(since.length === 0 ? {} : { noDisruptionSince: Math.min(...since) }),
  };
}

/** Image that most sidecars of a revision have in this cluster; undefined where no pod shows one. */
export type UsualImageOf = (revision: string) => string | undefined;

function nameGroup({ revision = "", image = "" }: CountedGroup): string {
  return `${revision} ${image}`;
}

/** Sorted, so that equal pods give equal values whatever order they came in. */
function describeGroups(
  groups: readonly CountedGroup[],
  isTimed: boolean,
  usualImageOf: UsualImageOf,
): readonly PodGroup[] {
  return groups
    .toSorted((a, b) => (nameGroup(a) < nameGroup(b) ? -1 : 1))
    .map(({ revision, image, count, ready, made }) => ({
      ...(revision === undefined ? {} : { revision }),
      // Nearly every pod has the usual one, and a fleet's inventory does not repeat it.
      ...(revision === undefined || image === undefined || image === usualImageOf(revision) ? {} : { image }),
      count,
      ready,
      ...(isTimed ? tellOldest(made) : {}),
    }));
}

function tellOldest(made: readonly number[]): Pick<PodGroup, "oldest"> {
  const oldest = made.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  return oldest > unknownAge && Number.isFinite(oldest) ? { oldest: oldest * 1000 } : {};
}
