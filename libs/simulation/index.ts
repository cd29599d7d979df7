export type { Cause, SimulatedEnd, SimulatedRun, SimulatedStage } from "./answer/answer.ts";
export type { InjectedFailure } from "./executor/failures.ts";
export { simulate, type SimulationQuestion } from "./simulate.ts";
export type { StartCluster } from "./cluster/simulated-cluster.ts";
export { defaultTiming, type Timing } from "./clock/timing.ts";
/** @internal The bench's bare loop uses the same queue and the same draws. */
export { EventQueue } from "./clock/event-queue.ts";
/** @internal */
export { drawReady } from "./clock/timing.ts";
export { listChanges, type PossibleChange } from "./list-changes.ts";
export { type Spread, summarise } from "./summarise.ts";
