export { passGates } from "./pass-gates.ts";
export { closeGates, readGates } from "./read-gates.ts";
export { type GateReading, renderReading } from "./reading.ts";
