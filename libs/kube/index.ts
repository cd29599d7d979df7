export type { KubeconfigSource } from "./access/find-kubeconfig.ts";
export { readServer } from "./access/kubeconfig.ts";
export { KubeconfigError } from "./access/kubeconfig-error.ts";
export { type ClusterOptions, openCluster } from "./open-cluster.ts";
export type { Change, Cluster, ClusterView, WriteOutcome } from "./port.ts";
export type { ReflectorTiming } from "./reflector.ts";
export type { ReflectorFault } from "./reflector-fault.ts";
/** @internal The bench follows it too. */
export { STOPS_NAMESPACE } from "./stops.ts";
export { type AccessReview, type AccessRight, executorRights, reviewAccess } from "./review-access.ts";
