export { passGates } from "./pass-gates.ts";
export { closeGates, readGates } from "./read-gates.ts";
export type { GateReading } from "./reading.ts";
