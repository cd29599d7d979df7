import type { Kind, WorkloadRef } from "#libs/fleet";

/** Where the API server has the objects of a kind. */
const places: Readonly<Record<Kind, readonly [apiVersion: string, plural: string]>> = {
  Deployment: ["apps/v1", "deployments"],
  StatefulSet: ["apps/v1", "statefulsets"],
  DaemonSet: ["apps/v1", "daemonsets"],
  Rollout: ["argoproj.io/v1alpha1", "rollouts"],
  // Istio serves v1 since 1.22.
  WorkloadGroup: ["networking.istio.io/v1", "workloadgroups"],
};

/** As an object of the kind says it of itself. */
export function nameApiVersion(kind: Kind): string {
  const [apiVersion] = places[kind];
  return apiVersion;
}

/** The collection of a kind in one namespace. */
export function nameCollection({ namespace, kind }: Pick<WorkloadRef, "namespace" | "kind">): string {
  const [apiVersion, plural] = places[kind];
  return `/apis/${apiVersion}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}

export function nameWorkloadPath(ref: WorkloadRef): string {
  return `${nameCollection(ref)}/${encodeURIComponent(ref.name)}`;
}
