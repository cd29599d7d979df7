export type { Cause, SimulatedEnd, SimulatedRun, SimulatedStage } from "./answer.ts";
export type { InjectedFailure } from "./failures.ts";
export { simulate, type SimulationQuestion } from "./simulate.ts";
export type { StartCluster } from "./simulated-cluster.ts";
export { defaultTiming, type Timing } from "./timing.ts";
/** @internal The bench's bare loop uses the same queue and the same draws. */
export { EventQueue } from "./event-queue.ts";
/** @internal */
export { drawReady } from "./timing.ts";
export { listChanges, type PossibleChange } from "./list-changes.ts";
export { type Spread, summarise } from "./summarise.ts";
