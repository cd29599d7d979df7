export { istioKeys, annotationKeys } from "./annotations/annotations.ts";
export type { ArgoFacts } from "./argo-facts.ts";
export type {
  ClusterFacts,
  ClusterStops,
  ControlPlanePlace,
  FieldManager,
  InjectionProof,
  Kind,
  MarkManagers,
  Namespace,
  NamespaceInventory,
  OtherPods,
  PodGroup,
  PodTemplate,
  ProxyRefusal,
  RevisionFacts,
  TemplateFacts,
  Workload,
  WorkloadRef,
  WorkloadTimes,
  WriteRefusal,
} from "./facts.ts";
export {
  type AdmissionMap,
  asksForLabels,
  findAdmitted,
  isUnlabelled,
  nameInAdmissionMap,
} from "./admission/admission-map.ts";
export { type FailureCause, readCause } from "./causes/failure-cause.ts";
export { findCause } from "./causes/find-cause.ts";
export type { ContainerSeen, Ended, PodSeen, RolloutSeen, VmSeen } from "./causes/pods-seen.ts";
export { nameForeignManager } from "./annotations/foreign-manager.ts";
export type { InstalledObject, Installer, RevisionUse, Use } from "./usage.ts";
export {
  type Migration,
  type MigrationEvidence,
  hasMigratedOnce,
  judgeMigration,
  type MigratingReason,
} from "./arrival/judge-arrival.ts";
export {
  type Health,
  judgeHealth,
  awaitsPromotion,
  countSteps,
  isDegraded,
  isDeployedSince,
  isUnobserved,
  isUnprovenDeploy,
  isRollingByOwner,
  isRollingByUs,
  isUnsettledSinceWrite,
  lacksPods,
  measureProgress,
} from "./arrival/rollout.ts";
export {
  type FailureAnnotation,
  type Marks,
  type Previous,
  type PreviousFields,
  type ReadAnnotations,
  type RunAnnotation,
  type UnreadableAnnotations,
  renderFailureAnnotation,
  renderPrevious,
  renderRunAnnotation,
} from "./annotations/marks.ts";
export { hasFailureAnnotation, parseAnnotations } from "./annotations/parse-marks.ts";
export { readAnnotations } from "./annotations/read-annotations.ts";
export { readMarks } from "./annotations/read-marks.ts";
export { readRunning, type Running } from "./arrival/read-running.ts";
export { parseRestartedFor, renderRestartedFor, type RestartedFor } from "./annotations/restarted-for.ts";
export type { SailAnnotations } from "./annotations/sail-marks.ts";
export { findAge, findProgressAt, findRestAt } from "./times/moments.ts";
export type { Vm, VmCounts, VmGroupRef, VmRef, VmReport } from "./vm-facts.ts";
export { countVms, findUsualRevision, type JudgedVm, judgeVms, type VmFigures } from "./vms/count-vms.ts";
export { allHeardMs, freshMs, type VmState } from "./vms/judge-vm.ts";
export { countUnavailableVms, isMoveInHand } from "./vms/vm-counts.ts";
export { isSkewed, nameProxy, readImageVersion } from "./versions/image-version.ts";
export { findInjectedImage, findIstiodVersion, findVersion, type Planes } from "./versions/istiod-version.ts";
export { compareVersions, parseVersion } from "./versions/version.ts";
