import type { KubeModel } from "#fakes/kube";

import type { AuditedObject } from "../evidence.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { readGroup } from "../vm-groups.ts";

const groups = "workloadgroups";
const rollouts = "rollouts";

/** An object as the API server returns it. */
export interface RawObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly {
      readonly apiVersion?: string;
      readonly kind: string;
      readonly name: string;
    }[];
  };
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: {
      readonly metadata?: {
        readonly labels?: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
      };
      readonly spec?: { readonly hostNetwork?: boolean };
    };
  };
  /** Argo has its observed generation as a text. */
  readonly status?: Readonly<Record<string, number | string | undefined>>;
}

export const workloadResources = ["deployments", "statefulsets", "daemonsets", rollouts, groups] as const;

/** Where each collection is that is not of apps/v1. */
const apis: Readonly<Record<string, string>> = {
  [groups]: "networking.istio.io/v1",
  [rollouts]: "argoproj.io/v1alpha1",
};

/** The collection of a resource in all namespaces. */
export function nameCollection(resource: string): string {
  return `/apis/${apis[resource] ?? "apps/v1"}/${resource}`;
}

const plurals: Readonly<Record<string, string>> = {
  ReplicaSet: "deployments",
  Deployment: "deployments",
  StatefulSet: "statefulsets",
  DaemonSet: "daemonsets",
};

export function listObjects(model: KubeModel, path: string): readonly RawObject[] {
  const answer = model.api.handle({ method: "GET", path, query: new URLSearchParams(), user: "auditor" });
  // Istio's and Argo's definitions may be absent.
  const mayBeAbsent = path.endsWith(groups) || path.endsWith(rollouts);
  if (answer !== "lost" && answer.status === 404 && mayBeAbsent) return [];
  if (answer === "lost" || answer.status !== 200) throw new Error(`the auditor cannot read ${path}`);
  return (answer.body as { items: RawObject[] }).items;
}

export function nameWorkload(resource: string, object: RawObject): string {
  const { namespace, name } = object.metadata;
  return nameCollection(resource).replace(/[^/]+$/u, `namespaces/${namespace}/$&`) + `/${name}`;
}

/** The collection of a ReplicaSet's owner: its pods have another label under Argo. */
function nameCollectionOf(kind: string, labels: Readonly<Record<string, string>>): string {
  const isArgos = kind === "ReplicaSet" && labels["rollouts-pod-template-hash"] !== undefined;
  return isArgos ? rollouts : (plurals[kind] ?? kind);
}

/**
 * The workload that owns a pod. A ReplicaSet's name is its Deployment's, or its Argo Rollout's, and a hash. Another API group may have a
 * StatefulSet of the same name.
 */
export function nameOwner({ metadata }: RawObject): string {
  const { namespace, labels = {}, ownerReferences = [] } = metadata;
  const { apiVersion = "apps/v1", kind = "", name = "" } = ownerReferences[0] ?? {};
  if (apiVersion !== "apps/v1") return `/apis/${apiVersion}/namespaces/${namespace}/${kind}/${name}`;
  const owner = kind === "ReplicaSet" ? name.replace(/-[^-]+$/u, "") : name;
  const collection = nameCollectionOf(kind, labels);
  return `/apis/${apis[collection] ?? apiVersion}/namespaces/${namespace}/${collection}/${owner}`;
}

/** The revision that the injector wrote into the pod; "none" without a sidecar. */
export function readRevision({ metadata }: RawObject): string {
  const { annotations = {} } = metadata;
  return annotations["sidecar.istio.io/status"] === undefined ? "none" : (annotations["istio.io/rev"] ?? "unknown");
}

/** The first of these status counters that the kind of workload has. */
function count(status: RawObject["status"], ...names: readonly string[]): number {
  return Number(names.map((name) => status?.[name]).find((value) => value !== undefined) ?? 0);
}

function countWanted({ spec, status }: RawObject): number {
  return spec?.replicas ?? count(status, "desiredNumberScheduled");
}

export function isAvailable(object: RawObject): boolean {
  return count(object.status, "availableReplicas", "numberAvailable") >= countWanted(object);
}

export function isSettled(object: RawObject, resource: string): boolean {
  // Its VMs are in no cluster, so that they roll is not seen here.
  if (resource === groups) return true;
  const { metadata, status } = object;
  const updated = count(status, "updatedReplicas", "updatedNumberScheduled");
  const total = count(status, "replicas", "currentNumberScheduled");
  const isObserved = count(status, "observedGeneration") >= (metadata.generation ?? 0);
  return isObserved && updated >= countWanted(object) && isAvailable(object) && total <= updated;
}

function readTemplate({ spec }: RawObject): NonNullable<AuditedObject["template"]> {
  const { metadata = {}, spec: pod } = spec?.template ?? {};
  const { labels = {}, annotations = {} } = metadata;
  return { labels, annotations, hostNetwork: pod?.hostNetwork ?? false };
}

export function describeWorkload(
  resource: string,
  object: RawObject,
  injectedPods: AuditedObject["injectedPods"],
): AuditedObject {
  const { uid, labels = {}, annotations = {} } = object.metadata;
  const described = { path: nameWorkload(resource, object), uid, labels };
  // How many of its VMs have a proxy is in no cluster.
  if (resource === groups)
    return omitUndefined({
      ...described,
      ...readGroup(annotations),
      injectedPods: "unknown" as const,
      available: true,
    });
  return omitUndefined({
    ...described,
    annotations,
    template: readTemplate(object),
    injectedPods,
    available: isAvailable(object),
  });
}

/** Namespaces and workloads as they are now. */
export function readObjects(model: KubeModel): readonly AuditedObject[] {
  const injected = new Map<string, number>();
  for (const pod of listObjects(model, "/api/v1/pods")) {
    if (readRevision(pod) === "none") continue;
    injected.set(nameOwner(pod), (injected.get(nameOwner(pod)) ?? 0) + 1);
  }
  const namespaces = listObjects(model, "/api/v1/namespaces").map(({ metadata }): AuditedObject => ({
    path: `/api/v1/namespaces/${metadata.name}`,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    injectedPods: 0,
  }));
  const workloads = workloadResources.flatMap((resource) =>
    listObjects(model, nameCollection(resource)).map((object) =>
      describeWorkload(resource, object, injected.get(nameWorkload(resource, object)) ?? 0),
    ),
  );
  return [...namespaces, ...workloads];
}
