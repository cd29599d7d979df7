import type { Namespace, NamespaceInventory, PodTemplate, PreviousFields, Workload } from "#libs/fleet";
import { type ControlPlane, effectiveRevision, type ObjectChange } from "#libs/injection";

function merge(
  now: Readonly<Record<string, string>>,
  fields: PreviousFields | undefined,
): Readonly<Record<string, string>> {
  if (fields === undefined) return now;
  const merged: Record<string, string> = { ...now };
  for (const [key, value] of Object.entries(fields)) {
    if (value === null) delete merged[key];
    else merged[key] = value;
  }
  return merged;
}

function raise(version: string): string {
  return String(Number(version) + 1);
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** What an API server makes of the write to a namespace. */
export function changeNamespace(namespace: Namespace, { annotations, labels }: ObjectChange): Namespace {
  return {
    ...namespace,
    resourceVersion: raise(namespace.resourceVersion),
    annotations: merge(namespace.annotations, annotations),
    labels: merge(namespace.labels, labels),
  };
}

/** What an API server makes of the write to a workload: another template is another generation. */
export function changeWorkload(workload: Workload, { annotations, template }: ObjectChange): Workload {
  const next: PodTemplate = {
    ...workload.template,
    labels: merge(workload.template.labels, template?.labels),
    annotations: merge(workload.template.annotations, template?.annotations),
  };
  const isKept =
    isSame(next.labels, workload.template.labels) && isSame(next.annotations, workload.template.annotations);
  return {
    ...workload,
    resourceVersion: raise(workload.resourceVersion),
    annotations: merge(workload.annotations, annotations),
    template: next,
    generation: workload.generation + (isKept ? 0 : 1),
  };
}

/** What injects pods, and where. */
export interface Place {
  readonly namespace: Namespace;
  readonly cluster: ControlPlane;
}

function makeGroup(workload: Workload, { namespace, cluster }: Place, count: number, ready: number) {
  const { revision } = effectiveRevision(namespace, workload, cluster);
  return { count, ready, ...(revision === undefined ? {} : { revision }) };
}

/** Its controller has begun: one new pod is there and not ready, the old ones serve. Without pods nothing has to restart. */
export function beginRollout(workload: Workload, place: Place): Workload {
  const { generation, replicas, pods } = workload;
  if (replicas === 0) return { ...workload, observedGeneration: generation };
  const { rolledOut: _, ...rest } = workload;
  const began = { observedGeneration: generation, updated: 1, total: replicas + 1, deadlineExceeded: false };
  return { ...rest, ...began, pods: [...pods, makeGroup(workload, place, 1, 0)] };
}

/** All its pods are of the newest template and ready; the injector gave them what their labels resolve to. */
export function endRollout(workload: Workload, place: Place): Workload {
  const { generation: observedGeneration, replicas } = workload;
  return {
    ...workload,
    observedGeneration,
    total: replicas,
    updated: replicas,
    available: replicas,
    deadlineExceeded: false,
    rolledOut: true,
    pods: replicas === 0 ? [] : [makeGroup(workload, place, replicas, replicas)],
  };
}

/** Back on the template of before, whose pods never went away: as healthy, or as sick, as they were. */
export function endUndo(workload: Workload, { available, pods }: Workload, place: Place): Workload {
  const ended = endRollout(workload, place);
  return available < workload.replicas ? { ...ended, available, pods } : ended;
}

/** The inventory with these workloads in place of those of the same kind and name. */
export function replaceWorkloads(inventory: NamespaceInventory, changed: readonly Workload[]): NamespaceInventory {
  if (changed.length === 0) return inventory;
  const workloads = inventory.workloads.map(
    (each) => changed.find(({ kind, name }) => kind === each.kind && name === each.name) ?? each,
  );
  return { ...inventory, workloads };
}
