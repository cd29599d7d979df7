export type { Amount } from "./workloads/availability.ts";
export { makeBaseline } from "./main/baseline.ts";
export { findNewestSpec } from "./main/newest-spec.ts";
export type { BakeStatus, CampaignStatus, GateStatus, StageStatus, WaitStatus } from "./status/campaign-status.ts";
export {
  campaignsFolder,
  chooseCampaignPaths,
  compileSpec,
  type CompiledSpec,
  isReadPath,
  rolloutsPath,
  settingsPath,
} from "./main/compile-spec.ts";
/** @internal Tests move what is over to the archive before it is due. */
export { archiveEnded } from "./transitions/archive-ended.ts";
/** @internal */
export { type ArchiveLimits, listEnded } from "./transitions/choose-ended.ts";
export { groupForAdmission } from "./admission/group-for-admission.ts";
export { type AdmissionQuestion, planAdmission } from "./admission/plan-admission.ts";
export { nameStop } from "./stops/active-stop.ts";
export { chooseResumed, isPlacedByMeshroll, isUnderRollback } from "./stops/placed-stops.ts";
export { listNewlyUnread } from "./stops/list-unread-stops.ts";
export { completeSpec, type LastCampaigns } from "./main/complete-spec.ts";
export { countOutcome, type ListDifference, type RunOutcome } from "./records/outcome/run-outcome.ts";
export { findRollbackOf, listTakenBack } from "./records/rolled-back.ts";
export { nameCampaignFile, type UnreadCampaign } from "./records/unread-campaign.ts";
export { readClusterEntries } from "./stops/recorded/cluster-entries.ts";
export { chooseSaveEvery } from "./conditions/bake.ts";
export { isOtherCluster } from "./conditions/cluster-identity.ts";
export { findRevisionObstacle } from "./conditions/cluster-readiness.ts";
export { canConverge } from "./runs/converge/list-drift.ts";
export { type ConvergePlan, planConverge } from "./runs/converge/plan-converge.ts";
export { saveAtEnd } from "./runs/save-at-end.ts";
export { watchBakes } from "./runs/watch-bakes.ts";
export { applyChange } from "./records/change/apply-change.ts";
export { listSubjects } from "./records/change/list-subjects.ts";
export type { LedgerChange, PlanChange, RunChange, RunStep, StopChange } from "./records/change/ledger-change.ts";
export { decide } from "./decide.ts";
export {
  type Batch,
  type BatchItem,
  type Decision,
  type Due,
  isLedgerDecision,
  type LedgerDecision,
} from "./records/decision.ts";
export { type Failure, type FailureStatus, listFleetFailures } from "./status/failure-status.ts";
export {
  listFleetSkipped,
  type Skipped,
  type SkippedItem,
  type SkippedSummary,
} from "./status/skipped/list-skipped.ts";
export { narrowToCluster, type StatusOfCluster } from "./status/cluster/narrow-to-cluster.ts";
export type { RollbackStatus } from "./status/status-undo.ts";
export { narrowToRun, printPlainAnswers, tellAnswers, tellWaits, type ToldAnswers } from "./status/five-answers.ts";
export { countListed, type ListedCounts, willRestart } from "./proposals/count-listed.ts";
export { countEnded } from "./index/count-run.ts";
export { describeRolledBack } from "./runs/describe-rolled-back.ts";
export { ClusterIndex, noWorkloads, type JudgedWorkloads } from "./index/cluster-index.ts";
/** @internal Tests judge one cluster from scratch. */
export { judgeCluster } from "./index/evaluate-fleet.ts";
export { type Evaluation, evaluateFleet } from "./index/evaluate-fleet.ts";
export { evaluateUnwatched } from "./index/evaluate-unwatched.ts";
export { dropAbsent } from "./records/drop-absent.ts";
export { parseTime } from "./records/iso-time.ts";
export { asksForJudging, judgeCommand, mayJudge } from "./proposals/approvals/fork-permission.ts";
export { judgePullRequest } from "./proposals/judging/judge-pull-request.ts";
export type {
  MergedFiles,
  PermissionFact,
  Origin,
  PullRequestQuestion,
  ReviewFacts,
} from "./proposals/judging/pull-request-facts.ts";
export { listMeasurements } from "./gates/list-measurements.ts";
export { type Measurement } from "./gates/list-measurements.ts";
export { readProxySyncs } from "./gates/sources/read-proxy-syncs.ts";
export type {
  Baseline,
  BakeRecord,
  BucketChange,
  ConvergeRecord,
  GateRecord,
  LedgerEntry,
  LedgerState,
  OpenedCluster,
  PlanRecord,
  RunRecord,
  StopRecord,
} from "./records/ledger-state.ts";
export { createOwnership, type Ownership } from "./workloads/ownership.ts";
export type { Pace } from "./moves/room/pace.ts";
export type { ExecutorSnapshot, JobFacts, Permit } from "./moves/permit/facts.ts";
export { isConfirmed } from "./moves/permit/confirmed.ts";
export { chooseForJob } from "./moves/choose-for-job.ts";
export { countFailed, type JobBegin, mayContinue } from "./moves/permit/continue-job.ts";
export { isBatched, permitJob, permitPatch } from "./moves/permit/permit.ts";
export type { ProgressMemory } from "./index/stalled/progress.ts";
export { judgeVmGroup, planVmTags, type VmTagPlan } from "./vms/index.ts";
export { settingsOver } from "./main/run-settings.ts";
export { listStalled } from "./index/stalled/list-stalled.ts";
export { findWaitedOut } from "./workloads/waiting/waited-out.ts";
export { findWaitingAge } from "./workloads/waiting/waiting-age.ts";
export { planRemediation } from "./moves/plan-remediation.ts";
export { addCause, lacksCause, type Remediation } from "./moves/remediation.ts";
export { findRemakeObstacle, type HeldUndo } from "./moves/way-back.ts";
export { planPatch, type Write } from "./moves/plan-patch.ts";
export { countClusters } from "./proposals/count-clusters.ts";
export { findIdlePatterns, type Move, type MovedWorkload, type Proposal, proposeMoves } from "./proposals/proposal.ts";
export {
  type RequestedRollback,
  isRolledBack,
  isWholeFile,
  setsAllBack,
  listRequestedRollbacks,
  proposeRollback,
  type RollbackProposal,
  waitForHand,
} from "./proposals/rollback/propose-rollback.ts";
export { listWantedBuckets } from "./proposals/rollback/wanted-buckets.ts";
export { describeRollback } from "./proposals/rollback/describe-rollback.ts";
/** @internal Tests read back what was written. */
export { readRecordedStop } from "./records/recorded-stop.ts";
export { printRecordedStop, type RecordedStop } from "./records/recorded-stop.ts";
export { listStopsToRecord, planRecordedStops } from "./stops/recorded/recorded-stops-plan.ts";
/** @internal Tests judge histories by it. */
export { judgeChanges } from "./main/rollbacks.ts";
export { dropVanishedRuns } from "./main/past/vanished-runs.ts";
export { isPureRollback, listAhead, listForwardBuckets, listUndoable } from "./main/rollbacks.ts";
export { listNamespaces } from "./status/namespaces/list-namespaces.ts";
export type {
  ClusterRevision,
  NamespaceRow,
  NamespaceTable,
  TableBucket,
  TableCluster,
} from "./status/namespaces/namespace-table.ts";
export { isOfMesh } from "./index/index.ts";
export { describeSkewed } from "./status/skew/skewed-pods.ts";
export { describeUnserved, findUnservedPods, type UnservedPods } from "./status/unserved/unserved-pods.ts";
export { describeSail } from "./status/sail-status.ts";
export { listCampaignRuns, listOpenOnBuckets } from "./main/campaign-runs.ts";
export { findCampaign, findStage, settingsOf } from "./main/run-settings.ts";
export { leftClasses, type RunInCluster, type RunView } from "./index/run-view.ts";
/** @internal Tests play what GitHub tells. */
export { followPulls } from "./proposals/stages/follow-pulls.ts";
export { nameDoubt, type LedgerDoubt } from "./records/ledger-doubt.ts";
export { editStage, proposeStage } from "./proposals/stages/propose-stage.ts";
export { judgeStages } from "./proposals/stages/judge-stages.ts";
export { nameStage, type NextStage, type ProposedStage, type StageVerdict } from "./proposals/stages/verdict.ts";
export { nameClosedHold, printStageBranch } from "./proposals/stages/branch.ts";
export { readStageBranch } from "./proposals/stages/branch.ts";
export { noticePutBack } from "./status/drift/put-back.ts";
export type { ClusterStatus } from "./status/cluster/describe-clusters.ts";
export { isInPlace, type WorkloadState, type JudgedWorkload } from "./workloads/workload-state.ts";
export { type BucketStatus, describeFleet, type FleetStatus, type ShareStatus } from "./status/status.ts";
export type { RunStatus } from "./status/status-runs.ts";
export { addSample, emptySeries, endSeries } from "./status/report/run-series.ts";
export { describeReport } from "./status/report/describe-report.ts";
export type {
  BatchBar,
  GateLine,
  ProgressPoint,
  RecordReport,
  ReportedGate,
  RunReport,
  RunSeries,
} from "./status/report/run-report.ts";
export { isStopScope, type StopScope } from "#libs/input";
export { type ActiveStop, collectMoveStops, holdsWholeRun } from "./stops/stops.ts";
export { NamespaceTree } from "./index/namespace-tree.ts";
export { listWantedCommits, listWantedRuns } from "./stops/wanted-commits.ts";
export { nameInFleet, nameWorkload, parseNameInFleet, parseWorkloadName } from "./records/workload-key.ts";
export type {
  VerbRequest,
  BakeWatch,
  BatchFacts,
  ClusterSnapshot,
  CommitFacts,
  MainFacts,
  Sample,
  Spec,
  SpecPoint,
  StagePull,
  Snapshot,
} from "./records/snapshot.ts";
export { applyShares } from "./proposals/stages/apply-shares.ts";
export { estimateStage, type StageEstimate } from "./proposals/stage-facts/estimate.ts";
