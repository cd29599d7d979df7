export { istioKeys, annotationKeys } from "./annotations.ts";
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
export { type Migration, type MigrationEvidence, judgeMigration, type MigratingReason } from "./judge-arrival.ts";
export { type Health, judgeHealth } from "./judge-health.ts";
export type {
  FailureAnnotation,
  Marks,
  Previous,
  PreviousFields,
  ReadAnnotations,
  RunAnnotation,
  UnreadableAnnotations,
} from "./marks.ts";
export { parseAnnotations } from "./parse-marks.ts";
export { readRunning, type Running } from "./read-running.ts";
export { renderFailureAnnotation, renderPrevious, renderRunAnnotation } from "./render-marks.ts";
export { parseRestartedFor, renderRestartedFor, type RestartedFor } from "./restarted-for.ts";
export type { SailAnnotations } from "./sail-marks.ts";
export { findAge } from "./times/age.ts";
export { findProgressAt, findRestAt } from "./times/moments.ts";
export { countSteps, isDeployedSince, isRollingByOwner, isRollingByUs, measureProgress } from "./rollout.ts";
