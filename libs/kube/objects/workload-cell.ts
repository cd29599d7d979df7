import type { Namespace, PodGroup, TemplateFacts, Workload, WriteRefusal } from "#libs/fleet";

import { lookUp } from "#libs/input";

import type { ApiMap, ApiSelector } from "../api-types.ts";
import { matchesSelector } from "./label-selector.ts";
import type { FindAdmitted } from "../port.ts";
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
  /** UID of the workload that made them; undefined = only its name is known. */
  readonly ownerUid: string | undefined;
  readonly image: string | undefined;
  count: number;
  ready: number;
  /** When each pod was made, unordered, epoch seconds by the API server's clock; `unknownAge` where it does not say. */
  readonly made: number[];
}

/** All that is known of one workload: its object, and its pods, which may be seen before the object. */
export interface WorkloadCell {
  readonly key: string;
  readonly namespace: string;
  record: WorkloadRecord | undefined;
  /** Only counts are kept: there are too many pods, and they change too often, to keep them as objects. */
  readonly groups: CountedGroup[];
  /** Live pods of each template, by the template's hash. */
  readonly hashes: Map<string, number>;
  /** The API server's refusal of our last write to it. */
  refused: WriteRefusal | undefined;
  /** The workload that was built from this; cleared at each change. */
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

/** The API server did not say when a pod was made. */
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

/**
 * The facts of its template that decide whether new pods are labelled. The hash is known only while all live pods have the same
 * one.
 */
export function describeTemplate({ hashes, record }: WorkloadCell): TemplateFacts {
  const [hash = ""] = hashes.size === 1 ? hashes.keys() : [];
  return {
    ...(hash === "" ? {} : { hash }),
    ...(record?.deployedAt === undefined ? {} : { deployedAt: record.deployedAt }),
  };
}

/** What other objects of its namespace say about it. */
export interface Neighbours {
  readonly budgets: ReadonlyMap<string, Budget>;
  /** Counts by the labels of live pods of Argo Rollouts. */
  readonly rollouts: ReadonlyMap<ApiMap, number>;
  readonly facts: Namespace | undefined;
  /** What the admission policies give its new pods; undefined = nothing, or it is not known. */
  readonly findAdmitted: FindAdmitted | undefined;
}

/** The workload as of now; the same object until something about it changes. */
export function buildWorkload(
  cell: WorkloadCell,
  neighbours: Neighbours,
  usualImageOf: UsualImageOf,
): Workload | undefined {
  if (cell.built !== undefined || cell.record === undefined) return cell.built;
  // Budgets and admission policies are about pods, and VMs have none.
  cell.built =
    cell.record.facts.template.isVms === true
      ? addRefusal(cell, { ...cell.record.facts, pods: [] })
      : addRefusal(cell, describeWorkload(cell, cell.record, neighbours, usualImageOf));
  return cell.built;
}

function addRefusal({ refused }: WorkloadCell, workload: Workload): Workload {
  return refused === undefined ? workload : { ...workload, refused };
}

function describeWorkload(
  cell: WorkloadCell,
  record: WorkloadRecord,
  neighbours: Neighbours,
  usualImageOf: UsualImageOf,
): Workload {
  const { budgets, rollouts } = neighbours;
  const { facts, templateLabels, rolloutUnavailable } = record;
  const own = [...budgets.values()].filter(({ selector }) => matchesSelector(selector, templateLabels));
  const groups = cell.groups.filter((group) => isOwn(cell, group));
  return {
    ...facts,
    pods: describeGroups(groups, facts.times !== undefined, usualImageOf),
    ...describeBudgets(own, rolloutUnavailable),
    ...describeRollout(record, rollouts.keys()),
    ...describeAdmitted(cell, facts, neighbours),
  };
}

function describeAdmitted(
  cell: WorkloadCell,
  workload: WorkloadRecord["facts"],
  { facts, findAdmitted }: Neighbours,
): Pick<Workload, "admitted"> {
  if (facts === undefined) return {};
  const admitted = findAdmitted?.(facts, workload, describeTemplate(cell).hash);
  return admitted === undefined ? {} : { admitted };
}

/** Pods of an earlier workload with the same name do not count. */
function isOwn({ record }: WorkloadCell, { ownerUid }: CountedGroup): boolean {
  return record !== undefined && (ownerUid === undefined || ownerUid === record.facts.uid);
}

/** Pods without a workload: it was deleted without them, or its name belongs to a newer object. */
export function listOrphans(cell: WorkloadCell): readonly { readonly revision: string; readonly count: number }[] {
  return cell.groups.flatMap((group) => {
    const { revision, count } = group;
    return revision === undefined || isOwn(cell, group) ? [] : [{ revision, count }];
  });
}

/** An Argo Rollout that refers to the Deployment makes pods from its template, which the Deployment's selector matches. */
function describeRollout(
  { facts, templateLabels, selectorKeys }: WorkloadRecord,
  rollouts: Iterable<ApiMap>,
): Pick<Workload, "managedByRollout"> {
  if (facts.kind !== "Deployment" || selectorKeys.length === 0) return {};
  // The API server ensures that a template has the labels that its selector requires.
  for (const labels of rollouts)
    if (selectorKeys.every((key) => lookUp(labels, key) === lookUp(templateLabels, key)))
      return { managedByRollout: true };
  return {};
}

/** Of several budgets that allow nothing, the one that has done so for the longest counts. */
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

/** The image that most sidecars of a revision have in this cluster; undefined where no pod shows one. */
export type UsualImageOf = (revision: string) => string | undefined;

function nameGroup({ revision = "", image = "" }: CountedGroup): string {
  return `${revision} ${image}`;
}

/** Sorted, so that equal pods give equal values in whatever order they were seen. */
function describeGroups(
  groups: readonly CountedGroup[],
  isTimed: boolean,
  usualImageOf: UsualImageOf,
): readonly PodGroup[] {
  return groups
    .toSorted((a, b) => (nameGroup(a) < nameGroup(b) ? -1 : 1))
    .map(({ revision, image, count, ready, made }) => ({
      ...(revision === undefined ? {} : { revision }),
      // Omitted where it is the usual image, which nearly every pod has.
      ...(revision === undefined || image === undefined || image === usualImageOf(revision) ? {} : { image }),
      count,
      ready,
      ...(isTimed ? findOldest(made) : {}),
    }));
}

function findOldest(made: readonly number[]): Pick<PodGroup, "oldest"> {
  const oldest = made.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  return oldest > unknownAge && Number.isFinite(oldest) ? { oldest: oldest * 1000 } : {};
}
