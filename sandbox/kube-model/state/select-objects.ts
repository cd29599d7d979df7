import type { Kind } from "#libs/fleet";

import type { ApiTarget } from "../objects/api-path.ts";
import type { ModelNamespace, ModelObject, Resource } from "../objects/objects.ts";
import type { State } from "./state.ts";

const KIND_OF: Readonly<Partial<Record<Resource, Kind>>> = {
  deployments: "Deployment",
  statefulsets: "StatefulSet",
  daemonsets: "DaemonSet",
  rollouts: "Rollout",
};

/** All objects of a collection, in the order in which they were added. */
export function selectAll(state: State, { resource, namespace }: ApiTarget): ModelObject[] {
  if (resource === "mutatingwebhookconfigurations") return [...state.webhooks.values()];
  if (resource === "namespaces") return [...state.namespaces.values()];
  const only = namespace === undefined ? undefined : state.namespaces.get(namespace);
  const places = namespace === undefined ? [...state.namespaces.values()] : only === undefined ? [] : [only];
  return places.flatMap((place) => selectIn(place, resource));
}

/** One object, or undefined. Pods are only listed and watched. */
export function selectOne(state: State, { resource, namespace, name = "" }: ApiTarget): ModelObject | undefined {
  if (resource === "mutatingwebhookconfigurations") return state.webhooks.get(name);
  if (resource === "namespaces") return state.namespaces.get(name);
  const place = state.namespaces.get(namespace ?? "");
  const kind = KIND_OF[resource];
  if (kind !== undefined) return place?.workloads.get(`${kind}/${name}`);
  return place === undefined ? undefined : mapsOf[resource]?.(place).get(name);
}

/** Does a watch on the target tell of this object? */
export function isIn({ resource, namespace }: ApiTarget, object: ModelObject): boolean {
  if (object.resource !== resource) return false;
  return namespace === undefined || nameNamespace(object) === namespace;
}

function nameNamespace(object: ModelObject): string | undefined {
  if ("workload" in object) return object.workload.namespace.name;
  return "namespace" in object ? object.namespace.name : undefined;
}

/** The objects of a namespace by name, of a collection that has a map of its own. */
const mapsOf: Readonly<Partial<Record<Resource, (place: ModelNamespace) => ReadonlyMap<string, ModelObject>>>> = {
  configmaps: ({ configMaps }) => configMaps,
  poddisruptionbudgets: ({ budgets }) => budgets,
  workloadgroups: ({ vmGroups }) => vmGroups,
  workloadentries: ({ vmEntries }) => vmEntries,
};

function selectIn(place: ModelNamespace, resource: Resource): ModelObject[] {
  const own = mapsOf[resource]?.(place);
  if (own !== undefined) return [...own.values()];
  const workloads = [...place.workloads.values()];
  if (resource === "pods") return [...workloads.flatMap(({ pods }) => pods), ...place.loosePods.values()];
  return workloads.filter((workload) => workload.resource === resource);
}
