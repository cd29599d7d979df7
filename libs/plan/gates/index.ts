export { passGates } from "./pass-gates.ts";
export { closeGates, evaluateGates } from "./evaluate-gates.ts";
export { type GateReading, renderReading } from "./reading.ts";
