export { createFleet, type FleetOptions, type SandboxFleet } from "./create-fleet.ts";
export { nameNamespaces } from "./names.ts";
