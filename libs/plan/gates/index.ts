export { listMeasurements, type Measurement } from "./list-measurements.ts";
export { passGates } from "./pass-gates.ts";
export { closeGates, readGates } from "./read-gates.ts";
export type { GateReading } from "./reading.ts";
export { readProxySyncs } from "./read-proxy-syncs.ts";
