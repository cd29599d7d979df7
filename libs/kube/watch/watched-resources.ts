import type { Watched } from "../store/cluster-store.ts";
import { STOPS_NAMESPACE } from "../configmap-names.ts";

export interface WatchedResource {
  readonly name: Watched;
  readonly path: string;
  /** Without the right to read it the executor continues, and names the problem. */
  readonly optional: boolean;
  /** It belongs to an API that is installed apart: where that is absent there are no such objects, and nothing is wrong. */
  readonly mayBeAbsent?: true;
  /** What is missing then, for people; for optional ones only. */
  readonly without?: string;
  /** The name that `kubectl auth can-i` takes. */
  readonly rbac: string;
}

/**
 * The collections that an executor reads; namespaces first. Our ConfigMaps are not optional: an executor that cannot see stops
 * must not move anything.
 */
export const WATCHED: readonly WatchedResource[] = [
  { name: "namespaces", path: "/api/v1/namespaces", optional: false, rbac: "namespaces" },
  { name: "deployments", path: "/apis/apps/v1/deployments", optional: false, rbac: "deployments.apps -A" },
  { name: "statefulsets", path: "/apis/apps/v1/statefulsets", optional: false, rbac: "statefulsets.apps -A" },
  { name: "daemonsets", path: "/apis/apps/v1/daemonsets", optional: false, rbac: "daemonsets.apps -A" },
  { name: "pods", path: "/api/v1/pods", optional: false, rbac: "pods -A" },
  {
    name: "poddisruptionbudgets",
    path: "/apis/policy/v1/poddisruptionbudgets",
    optional: true,
    without: "nothing moves in this cluster, since any workload may have a budget that allows nothing",
    rbac: "poddisruptionbudgets.policy -A",
  },
  {
    name: "mutatingwebhookconfigurations",
    path: "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    optional: true,
    without: "no revision is known to have an injector, so nothing moves to one",
    rbac: "mutatingwebhookconfigurations.admissionregistration.k8s.io",
  },
  {
    name: "configmaps",
    path: `/api/v1/namespaces/${STOPS_NAMESPACE}/configmaps`,
    optional: false,
    rbac: `configmaps -n ${STOPS_NAMESPACE}`,
  },
  {
    name: "rollouts",
    path: "/apis/argoproj.io/v1alpha1/rollouts",
    optional: true,
    mayBeAbsent: true,
    without: "Argo Rollouts are not seen, so they are not moved: their pods count as those of others",
    rbac: "rollouts.argoproj.io -A",
  },
  // Istio serves v1 of both since 1.22; an older one counts as absent.
  {
    name: "workloadgroups",
    path: "/apis/networking.istio.io/v1/workloadgroups",
    optional: true,
    mayBeAbsent: true,
    without: "groups of VMs are not seen, so their VMs are not moved",
    rbac: "workloadgroups.networking.istio.io -A",
  },
  {
    name: "workloadentries",
    path: "/apis/networking.istio.io/v1/workloadentries",
    optional: true,
    mayBeAbsent: true,
    without: "of VMs only their agents say whether they are ready",
    rbac: "workloadentries.networking.istio.io -A",
  },
];

/** Whether the answer says that the API of such a collection is not installed. */
export function isAbsent({ mayBeAbsent }: WatchedResource, kind: string): boolean {
  return mayBeAbsent === true && kind === "unserved";
}
