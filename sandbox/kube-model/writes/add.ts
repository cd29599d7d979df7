import { type FieldPlace, nameFields, type Writer } from "../objects/managed-fields.ts";
import type { ManagerEntry, ModelConfigMap, ModelNamespace, StringMap } from "../objects/objects.ts";
import { publish, type State } from "../state/state.ts";

export interface NamespaceOptions {
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  /** Who made it; kubectl create by default. */
  readonly writer?: Writer;
}

export const OWNER: Writer = { manager: "kubectl-create", operation: "Update" };

/** Adds the namespace; one of that name that is there already is an error of the test. */
export function addNamespace(state: State, name: string, options: NamespaceOptions = {}): ModelNamespace {
  if (state.namespaces.has(name)) throw new Error(`namespace ${name} is there already`);
  const { labels = {}, annotations = {}, writer = OWNER } = options;
  const namespace: ModelNamespace = {
    resource: "namespaces",
    name,
    uid: state.uid(),
    createdAt: state.clock.now(),
    rv: 0,
    deleted: false,
    labels,
    annotations,
    managers: claimAll(state, writer, [
      ["label", labels],
      ["annotation", annotations],
    ]),
    terminating: false,
    workloads: new Map(),
    budgets: new Map(),
    configMaps: new Map(),
    loosePods: new Map(),
    vmGroups: new Map(),
    vmEntries: new Map(),
  };
  state.namespaces.set(name, namespace);
  publish(state, "ADDED", namespace);
  return namespace;
}

/** The namespace, added when it is not there yet. */
export function ensureNamespace(state: State, name: string): ModelNamespace {
  return state.namespaces.get(name) ?? addNamespace(state, name);
}

export function addConfigMap(state: State, namespace: ModelNamespace, name: string, data: StringMap): ModelConfigMap {
  const map: ModelConfigMap = {
    resource: "configmaps",
    name,
    uid: state.uid(),
    createdAt: state.clock.now(),
    rv: 0,
    deleted: false,
    namespace,
    data,
  };
  namespace.configMaps.set(name, map);
  publish(state, "ADDED", map);
  return map;
}

/** The first managedFields entry of a new object: its maker owns all that is set. */
export function claimAll(
  state: State,
  writer: Writer,
  places: readonly (readonly [FieldPlace, StringMap])[],
): readonly ManagerEntry[] {
  const fields = places.flatMap(([place, map]) => nameFields(place, Object.keys(map)));
  return [{ ...writer, time: state.clock.now(), fields }];
}
