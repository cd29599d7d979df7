export { clusterNames } from "./deal-namespaces.ts";
export { createFleet, type FleetOptions, type SandboxCluster } from "./create-fleet.ts";
/** @internal The bench names its namespaces alike. */
export { nameNamespaces } from "./names.ts";
