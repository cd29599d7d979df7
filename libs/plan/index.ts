export type { Amount } from "./availability.ts";
/** @internal A test compares it with what a job may carry. */
export { mostInBatch } from "./batch-choice.ts";
export { makeBaseline } from "./baseline.ts";
export type { BakeStatus, CampaignStatus, ComingEvent, GateStatus, StageStatus } from "./campaign-status.ts";
export {
  campaignsFolder,
  chooseCampaignPaths,
  compileSpec,
  type CompiledSpec,
  isReadPath,
  rolloutsPath,
  settingsPath,
} from "./compile-spec.ts";
/** @internal Tests move what is over to the archive before it is due. */
export { archiveEnded } from "./archive/archive-ended.ts";
/** @internal */
export { type ArchiveLimits, listEnded } from "./archive/choose-ended.ts";
export { listNewlyUnread } from "./unread/list-newly-unread.ts";
export { completeSpec, type LastCampaigns } from "./unread/complete-spec.ts";
export { nameCampaignFile, type UnreadCampaign } from "./unread/unread-campaign.ts";
export { readClusterEntries } from "./cluster-entries.ts";
export { chooseSaveEvery } from "./bake.ts";
export { saveAtEnd } from "./bakes/save-at-end.ts";
export { watchBakes } from "./bakes/watch-bakes.ts";
export { decide } from "./decide.ts";
export {
  type Batch,
  type BatchItem,
  type Decision,
  isLedgerDecision,
  type JobItem,
  type LedgerDecision,
  type Reason,
} from "./decision.ts";
export { narrowToRun, tellAnswers, type ToldAnswers, type ToldLine } from "./five-answers.ts";
export { ClusterIndex, nobody, type Standings } from "./cluster-index.ts";
/** @internal Tests judge one cluster from scratch. */
export { judgeCluster } from "./judge-fleet.ts";
export { type Survey, surveyFleet } from "./judge-fleet.ts";
export { parseTime } from "./iso-time.ts";
export { asksToJudge, judgeCommand, mayJudge } from "./approvals/fork-leave.ts";
export type { Authorship } from "./approvals/authorship.ts";
export { findFleetWork, refuseFleetWork } from "./fleet-work.ts";
export { judgePullRequest } from "./judge-pull-request.ts";
export type {
  CheckVerdict,
  MergedFiles,
  PermissionFact,
  PullRequestQuestion,
  PullRequestVerdict,
  ReviewFacts,
} from "./judge-pull-request-facts.ts";
export { listMeasurements, type Measurement, readProxySyncs } from "./gates/index.ts";
export type {
  Baseline,
  BakeRecord,
  BucketChange,
  GateRecord,
  LedgerEntry,
  KeptFields,
  LedgerState,
  ListDifference,
  OpenedCluster,
  PlanRecord,
  RunOutcome,
  RunRecord,
  StopRecord,
} from "./ledger-state.ts";
export { nameLift, nameLiftVerb, quoteForShell } from "./name-lift.ts";
export { createOwnership, type Ownership } from "./ownership.ts";
export type { Pace } from "./permit/batch-pace.ts";
export type { ExecutorWorld, JobFacts, Permit } from "./permit/facts.ts";
export { isConfirmed } from "./permit/confirmed.ts";
export { isBatched, permitJob, permitPatch } from "./permit/permit.ts";
export type { ProgressMemory } from "./care/progress.ts";
export { settingsOver } from "./run-settings.ts";
export { listStalled } from "./places/list-stalled.ts";
export { findWaitingAge } from "./care/waiting-age.ts";
export { type Care, planCare } from "./plan-care.ts";
export { planPatch, type Write } from "./plan-patch.ts";
export { type ClusterCounts, type Move, type MovedWorkload, type Proposal, proposeMoves } from "./proposal.ts";
export {
  type AskedReturn,
  isReturned,
  isWholeFile,
  listAskedReturns,
  proposeReturn,
  type ReturnProposal,
  waitForHand,
} from "./propose-return.ts";
export { describeReturn, type ReturnText } from "./propose-return-text.ts";
/** @internal Tests read back what was written. */
export { readRecordedStop } from "./recorded-stop.ts";
export { hearMs } from "./formats/older-alive.ts";
export { formatOf } from "./ledger-format.ts";
export { printRecordedStop, type RecordedStop } from "./recorded-stop.ts";
export { listStopsToRecord, planRecordedStops } from "./recorded-stops-plan.ts";
/** @internal Tests judge histories by it. */
export { judgeChanges } from "./returns.ts";
export { listForwardBuckets, listUndoable } from "./returns.ts";
export { describeSail } from "./sail-status.ts";
export { listHeirs } from "./supersession.ts";
export { listCampaignRuns, listCampaigns } from "./run-campaigns.ts";
export { findCampaign, findStage, settingsOf } from "./run-settings.ts";
export type { RunInCluster, RunView } from "./run-view.ts";
/** @internal Tests play what GitHub tells. */
export { followPulls } from "./stages/index.ts";
export { describeDoubt, type LedgerDoubt } from "./ledger-doubt.ts";
export { MainPast, type PastRecord, type PastStep, type Point } from "./past/main-past.ts";
export { type MainHistory, proveLedger, type ProvenLedger } from "./past/prove-ledger.ts";
export { readPoint } from "./past/read-point.ts";
export {
  editStage,
  judgeStages,
  nameOwners,
  type NextStage,
  printRule,
  printStageBranch,
  type ProposedStage,
  proposeStage,
  readStageBranch,
  type StageVerdict,
} from "./stages/index.ts";
export type { Standing, WorkloadStanding } from "./standing.ts";
export { type BucketStatus, type ClusterStatus, describeFleet, type FleetStatus, type ShareStatus } from "./status.ts";
export type { RunStatus } from "./status-runs.ts";
export { isStopScope, type StopScope } from "#libs/input";
export { type ActiveStop, collectMoveStops } from "./stops.ts";
export { NamespaceTree } from "./namespace-tree.ts";
export { listWantedCommits, listWantedRuns } from "./wanted-commits.ts";
export { nameInFleet, nameWorkload } from "./workload-key.ts";
export type {
  Ask,
  BakeWatch,
  BatchFacts,
  BrokenBatches,
  ClusterWorld,
  CommitFacts,
  MainFacts,
  Sample,
  Spec,
  SpecPoint,
  StagePull,
  World,
} from "./world.ts";
export { applyShares } from "./stages/apply-shares.ts";
export { estimateStage, printAbout, type StageEstimate } from "./stages/estimate.ts";
