export { istioKeys, annotationKeys } from "./annotations/annotations.ts";
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
export {
  type Migration,
  type MigrationEvidence,
  judgeMigration,
  type MigratingReason,
} from "./arrival/judge-arrival.ts";
export { type Health, judgeHealth } from "./arrival/judge-health.ts";
export type {
  FailureAnnotation,
  Marks,
  Previous,
  PreviousFields,
  ReadAnnotations,
  RunAnnotation,
  UnreadableAnnotations,
} from "./annotations/marks.ts";
export { parseAnnotations } from "./annotations/parse-marks.ts";
export { readRunning, type Running } from "./arrival/read-running.ts";
export { renderFailureAnnotation, renderPrevious, renderRunAnnotation } from "./annotations/render-marks.ts";
export { parseRestartedFor, renderRestartedFor, type RestartedFor } from "./annotations/restarted-for.ts";
export type { SailAnnotations } from "./annotations/sail-marks.ts";
export { findAge, findProgressAt, findRestAt } from "./times/moments.ts";
export { countSteps, isDeployedSince, isRollingByOwner, isRollingByUs, measureProgress } from "./arrival/rollout.ts";
