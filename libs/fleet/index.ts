export { istioKeys, markKeys } from "./annotations.ts";
export type {
  ClusterFacts,
  ClusterStops,
  FieldManager,
  Kind,
  Namespace,
  NamespaceInventory,
  PodGroup,
  PodTemplate,
  RevisionFacts,
  Workload,
  WorkloadRef,
  WorkloadTimes,
} from "./facts.ts";
export { type Arrival, type ArrivalEvidence, judgeArrival, type MovingReason } from "./judge-arrival.ts";
export { type Health, judgeHealth } from "./judge-health.ts";
export type { FailedMark, Marks, Previous, PreviousFields, ReadMarks, RunMark, UnreadableMarks } from "./marks.ts";
export { parseMarks } from "./parse-marks.ts";
export { readRunning, type Running } from "./read-running.ts";
export { renderFailedMark, renderPrevious, renderRunMark } from "./render-marks.ts";
export { parseRestartedFor, renderRestartedFor, type RestartedFor } from "./restarted-for.ts";
export type { SailMarks } from "./sail-marks.ts";
export { findAge } from "./times/age.ts";
export { findProgressAt, findRestAt } from "./times/moments.ts";
export { countSteps, isDeployedSince, isRollingByOwner, isRollingByUs, measureProgress } from "./rollout.ts";
