export { clusterNames } from "./distribute-namespaces.ts";
export { createFleet, type FleetOptions, type SandboxCluster } from "./create-fleet.ts";
/** For benches, which use the same names. @internal */
export { nameNamespaces } from "./names.ts";
