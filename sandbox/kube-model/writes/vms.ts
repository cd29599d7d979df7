import type { WorkloadRef } from "#libs/fleet";

import { claimAll, ensureNamespace, OWNER } from "./add.ts";
import type { Writer } from "../objects/managed-fields.ts";
import type { ModelVmEntry, ModelVmGroup, StringMap } from "../objects/objects.ts";
import { publish, type State } from "../state/state.ts";

export interface VmGroupOptions {
  readonly ns: string;
  readonly name: string;
  readonly annotations?: StringMap;
  readonly labels?: StringMap;
  /** Its field manager; default: that of kubectl create. */
  readonly by?: string;
}

/** Adds a WorkloadGroup, and its namespace where that is not there. */
export function addVmGroup(state: State, options: VmGroupOptions): WorkloadRef {
  const { ns, name, annotations = {}, labels = {}, by = OWNER.manager } = options;
  const namespace = ensureNamespace(state, ns);
  if (namespace.vmGroups.has(name)) throw new Error(`${ns}/WorkloadGroup/${name} is there already`);
  const writer: Writer = { manager: by, operation: "Update" };
  const group: ModelVmGroup = {
    resource: "workloadgroups",
    name,
    uid: state.uid(),
    createdAt: state.clock.now(),
    rv: 0,
    deleted: false,
    namespace,
    labels,
    annotations,
    managers: claimAll(state, writer, [
      ["label", labels],
      ["annotation", annotations],
      ["spec", { metadata: "", template: "" }],
    ]),
  };
  namespace.vmGroups.set(name, group);
  publish(state, "ADDED", group);
  return { namespace: ns, kind: "WorkloadGroup", name };
}

export interface VmEntryOptions {
  readonly ns: string;
  readonly name: string;
  readonly address: string;
  readonly labels?: StringMap;
  /** The WorkloadGroup by which it registered itself. */
  readonly group?: string;
  /** What its probe found; absent = it has none. */
  readonly healthy?: boolean;
}

/** Adds a WorkloadEntry, as istiod does when a VM connects. */
export function addVmEntry(state: State, options: VmEntryOptions): void {
  const { ns, name, address, labels = {}, group, healthy } = options;
  const namespace = ensureNamespace(state, ns);
  if (namespace.vmEntries.has(name)) throw new Error(`${ns}/WorkloadEntry/${name} is there already`);
  const entry: ModelVmEntry = {
    resource: "workloadentries",
    name,
    uid: state.uid(),
    createdAt: state.clock.now(),
    rv: 0,
    deleted: false,
    namespace,
    address,
    labels,
    group,
    isHealthy: healthy,
    probedAt: state.clock.now(),
  };
  namespace.vmEntries.set(name, entry);
  publish(state, "ADDED", entry);
}

/** The WorkloadGroup; one that is not there is an error of the test. */
export function findVmGroup(state: State, { namespace, name }: Pick<WorkloadRef, "namespace" | "name">): ModelVmGroup {
  const group = state.namespaces.get(namespace)?.vmGroups.get(name);
  if (group === undefined) throw new Error(`there is no ${namespace}/WorkloadGroup/${name}`);
  return group;
}

function findVmEntry(state: State, namespace: string, name: string): ModelVmEntry {
  const entry = state.namespaces.get(namespace)?.vmEntries.get(name);
  if (entry === undefined) throw new Error(`there is no ${namespace}/WorkloadEntry/${name}`);
  return entry;
}

/** What istiod writes of a probe; undefined takes the condition away. */
export function setEntryHealth(state: State, namespace: string, name: string, healthy: boolean | undefined): void {
  const entry = findVmEntry(state, namespace, name);
  entry.isHealthy = healthy;
  entry.probedAt = state.clock.now();
  publish(state, "MODIFIED", entry);
}

export function removeVmGroup(state: State, ref: Pick<WorkloadRef, "namespace" | "name">): void {
  const group = findVmGroup(state, ref);
  group.namespace.vmGroups.delete(ref.name);
  publish(state, "DELETED", group);
}

export function removeVmEntry(state: State, namespace: string, name: string): void {
  const entry = findVmEntry(state, namespace, name);
  entry.namespace.vmEntries.delete(name);
  publish(state, "DELETED", entry);
}

/** Installs Istio's definitions of WorkloadGroups and WorkloadEntries, or removes them with all their objects. */
export function serveVms(state: State, isServed: boolean): void {
  state.servesVms = isServed;
  if (isServed) return;
  for (const { name: namespace, vmGroups, vmEntries } of state.namespaces.values()) {
    for (const name of vmGroups.keys()) removeVmGroup(state, { namespace, name });
    for (const name of vmEntries.keys()) removeVmEntry(state, namespace, name);
  }
}
