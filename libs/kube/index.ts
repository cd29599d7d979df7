export type { KubeconfigSource } from "./access/find-kubeconfig.ts";
export { readServer } from "./access/kubeconfig.ts";
export { KubeconfigError } from "./access/kubeconfig-error.ts";
export { type ClusterOptions, openCluster } from "./cluster/open-cluster.ts";
export type {
  AdmissionPolicy,
  AdmissionRead,
  Change,
  Cluster,
  ClusterView,
  WorkloadEvent,
  WriteOutcome,
} from "./port.ts";
export type { ReflectorTiming } from "./watch/reflector.ts";
export type { ReflectorFault } from "./watch/reflector-fault.ts";
/** @internal The bench follows it too. */
export { STOPS_NAMESPACE } from "./configmap-names.ts";
export type { RevisionUsage } from "./usage/usage.ts";
export { readRevisionUsage } from "./usage/read-usage.ts";
export { proveStop } from "./write/prove-stop.ts";
export { readAdmissionPolicy } from "./write/read-admission-policy.ts";
export {
  type AccessReview,
  type AccessRight,
  admissionRights,
  executorRights,
  reviewAccess,
} from "./requests/review-access.ts";
