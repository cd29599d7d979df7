import type { Namespace, NamespaceInventory, PodGroup, Workload } from "#libs/fleet";
import { type ControlPlane, effectiveRevision, type ObjectChange } from "#libs/injection";

import type { RecordPool } from "./record-pool.ts";
import { settleVms } from "./vm-groups.ts";

function raise(version: string): string {
  return String(Number(version) + 1);
}

/** The namespace after a write, as an API server stores it. */
export function changeNamespace(
  namespace: Namespace,
  { annotations, labels }: ObjectChange,
  pool: RecordPool,
): Namespace {
  return {
    ...namespace,
    resourceVersion: raise(namespace.resourceVersion),
    annotations: pool.merge(namespace.annotations, annotations),
    labels: pool.merge(namespace.labels, labels),
  };
}

/** The fields of a workload that a write changes. */
export type Written = Pick<Workload, "resourceVersion" | "annotations" | "template" | "generation">;

/** The changed fields after a write, as an API server stores them: a new template is a new generation. */
export function writeWorkload(workload: Workload, change: ObjectChange, pool: RecordPool): Written {
  const { template } = workload;
  const labels = pool.merge(template.labels, change.template?.labels);
  const annotations = pool.merge(template.annotations, change.template?.annotations);
  const isKept = labels === template.labels && annotations === template.annotations;
  return {
    resourceVersion: raise(workload.resourceVersion),
    annotations: pool.merge(workload.annotations, change.annotations),
    template: isKept ? template : pool.template(template, labels, annotations),
    generation: workload.generation + (isKept ? 0 : 1),
  };
}

/** The workload with these fields. The admission map names the template that it had, and none of a write. */
function putWritten(workload: Workload, written: Written): Workload {
  const { resourceVersion, annotations, template, generation } = written;
  const after = { ...workload, resourceVersion, annotations, template, generation };
  if (workload.admitted === undefined || template === workload.template) return after;
  const { admitted: _, ...rest } = after;
  return rest;
}

/** The workload after a write that its controller has not observed. */
export function changeWorkload(workload: Workload, change: ObjectChange, pool: RecordPool): Workload {
  return putWritten(workload, writeWorkload(workload, change, pool));
}

/** The facts that decide the injection of pods. */
export interface Place {
  readonly namespace: Namespace;
  readonly cluster: ControlPlane;
  readonly pool: RecordPool;
}

function resolve(workload: Pick<Workload, "template">, { namespace, cluster }: Place): string | undefined {
  return effectiveRevision(namespace, workload, cluster).revision;
}

function makeNewPod(revision: string | undefined): PodGroup {
  return { count: 1, ready: 0, ...(revision === undefined ? {} : { revision }) };
}

/**
 * The workload after its controller has begun the rollout: one new pod exists and is not ready, the old ones serve. Without
 * pods there is nothing to restart.
 */
export function beginRollout(workload: Workload, place: Place): Workload {
  const { generation, replicas, pods } = workload;
  if (replicas === 0) return { ...workload, observedGeneration: generation };
  const { rolledOut: _, ...rest } = workload;
  const began = { observedGeneration: generation, updated: 1, total: replicas + 1, deadlineExceeded: false };
  return { ...rest, ...began, pods: [...pods, makeNewPod(resolve(workload, place))] };
}

/** The workload when all pods have the newest template and are ready, with the revision that their labels resolve to. */
export function endRollout(workload: Workload, place: Place, written: Written = workload): Workload {
  const { replicas } = workload;
  const { template, generation } = written;
  return {
    ...putWritten(workload, written),
    observedGeneration: generation,
    total: replicas,
    updated: replicas,
    available: replicas,
    deadlineExceeded: false,
    rolledOut: true,
    ...(workload.vms === undefined ? {} : { vms: settleVms(workload.vms) }),
    pods: replicas === 0 ? [] : place.pool.pods(resolve({ template }, place), replicas),
  };
}

/** The workload with its earlier template, whose pods never stopped, and their earlier health. */
export function endUndo(workload: Workload, { available, pods }: Workload, place: Place): Workload {
  const ended = endRollout(workload, place);
  return available < workload.replicas ? { ...ended, available, pods } : ended;
}

/** The inventory with these workloads in place of those with the same kind and name. */
export function replaceWorkloads(inventory: NamespaceInventory, changed: readonly Workload[]): NamespaceInventory {
  if (changed.length === 0) return inventory;
  const workloads = [...inventory.workloads];
  let at = 0;
  for (const each of changed) {
    // Both are sorted, so the next one is searched for first.
    const place = findPlace(workloads, each, at);
    if (place < 0) continue;
    workloads[place] = each;
    at = place + 1;
  }
  return { ...inventory, workloads };
}

function findPlace(workloads: readonly Workload[], { kind, name }: Workload, from: number): number {
  const isIt = (each: Workload) => each.name === name && each.kind === kind;
  const next = workloads[from];
  return next !== undefined && isIt(next) ? from : workloads.findIndex(isIt);
}
