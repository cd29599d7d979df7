export type { KubeconfigSource } from "./access/find-kubeconfig.ts";
export { readServer } from "./access/kubeconfig.ts";
export { KubeconfigError } from "./access/kubeconfig-error.ts";
export { type ClusterOptions, openCluster } from "./cluster/open-cluster.ts";
export type { Change, Cluster, ClusterView, WriteOutcome } from "./port.ts";
export type { ReflectorTiming } from "./watch/reflector.ts";
export type { ReflectorFault } from "./watch/reflector-fault.ts";
/** @internal The bench follows it too. */
export { STOPS_NAMESPACE } from "./configmap-names.ts";
export { type AccessReview, type AccessRight, executorRights, reviewAccess } from "./requests/review-access.ts";
