export { explainClosed } from "./calendar.ts";
export { type GateFinding, printFinding } from "./gates/findings.ts";
export type { MeasuredLimit, Measurement } from "./gates/measurements.ts";
export { type GateQuestion, printQuestion } from "./gates/questions.ts";
export {
  lineBatch,
  lineBucket,
  lineChoice,
  lineMore,
  lineRolling,
  lineWait,
  type BlockedScopes,
  idleLine,
  nothingLine,
  unknownWhereLine,
} from "./status/answers.ts";
export type { MergeDemand, RefusedMerge } from "./merges/demands.ts";
export type { MergeStyle } from "./merges/merge-command.ts";
export { listReviewRules, type ReviewRule } from "./merges/review-rules.ts";
export {
  type Coming,
  type ComingEvent,
  lineComing,
  type MergeWay,
  renderComing,
  type WaitEnd,
} from "./status/coming.ts";
export { nameLook, wordWaitEnding } from "./status/wait-ends.ts";
export { printRunParts } from "./status/run-parts.ts";
export { type CommandStatus, lineCommand, renderPause, renderUndo, type UndoStatus } from "./status/way-back.ts";
export { lineVmGroup, printVmGroup, type VmGroupWords } from "./vms/groups.ts";
export { renderVmWait, type VmWait } from "./vms/waits.ts";
export { printText, type Text, writeText } from "./text.ts";
export { type LinePrinter, printLine, printPlainLine, type TextLine, writeLine } from "./text-line.ts";
export { groupReasons, type ReasonGroup } from "./group-reasons.ts";
export { explainFailedJob } from "./reasons/batches.ts";
/** @internal */
export { listReasonCodes } from "./reasons/reason.ts";
export {
  type Reason,
  type ReasonCode,
  type ReasonOf,
  type ReasonWords,
  renderReason,
  renderReasonWords,
  type RenderedReason,
} from "./reasons/reason.ts";
export { type Choice, listChoices, listFailureWays } from "./stop-choices.ts";
export { type ErrorPlace, explainForcedPush } from "./reasons/repository.ts";
export { type CampaignOwners, nameOwners, type StopWords } from "./reasons/runs.ts";
export { planner, unknownPerson } from "./reasons/wording.ts";
export { printSailFailure } from "./status/sail.ts";
export type { SharesToSet } from "./reasons/stages.ts";
export {
  printWorkloadReason,
  type RefusedReason,
  type TouchedReason,
  type RenderedWorkloadReason,
  type SkippedFor,
  renderWorkloadReason,
  type UnmanagedReason,
  type WaitingReason,
  type WorkloadReason,
} from "./workloads.ts";
export { type ManifestReason, renderManifestReason } from "./manifests/kept.ts";
export type { FailureCause } from "./causes/failure-causes.ts";
export { type RemediationReason, renderRemediation } from "./remediations.ts";
export type { RollbackRefusal } from "./rollback-refusals.ts";
export { cutText, type RecordedStopProblem, renderStopProblem } from "./recorded-stops.ts";
export {
  renderWorkloadEvent,
  type WorkloadEventCase,
  type WorkloadEventFacts,
  type WorkloadEventWords,
} from "./status/workload-events.ts";
export { type FileError, wordFinding } from "./file-errors.ts";
export { nameManager, nameManagerEnd, printManagerEnd } from "./managers/manager-ends.ts";
export { listDriftWays, type PutBackWords, renderPutBack, renderUnmoved } from "./status/put-back.ts";
export { printNotPutBack, printNotRemade, printObstacle } from "./status/not-put-back.ts";
export { printSkewedPods, type SkewedGroup } from "./status/skewed-pods.ts";
export { printUnserved, printUnservedPods, type UnservedGroup } from "./status/unserved-pods.ts";
export { nameRestartWay, nameSkippedWay } from "./status/skipped-ways.ts";
export {
  printConvergeCause,
  printConvergeSubject,
  printDifference,
  printStopCause,
  printStopEnd,
} from "./transitions/stop-causes.ts";
export { renderTransition, type TransitionReason, type TransitionReasonOf } from "./transitions/transition.ts";
export {
  kubectlStop,
  nameEndVerb,
  nameResume,
  nameResumeVerb,
  quoteForShell,
  type ResumableStop,
} from "./resume-command.ts";
export { type ArtifactRefusal, renderArtifactRefusal } from "./vms/artifacts.ts";
export { type AgentReason, renderAgentReason, type SwitchFailure } from "./vms/agents.ts";
export type { ApprovalCause } from "./markdown/approval-rule.ts";
export { printAbout } from "./markdown/tables.ts";
export { printRollbackEditRefusal, type RollbackEditRefusal } from "./rollback-refusals.ts";
export type {
  ApprovalCount,
  ApprovalExemption,
  ApprovalsCheck,
  ApprovalTally,
  ApprovalVotes,
  OutgrownApproval,
} from "./pull-requests/checks/approvals.ts";
export type { ApprovalGap } from "./pull-requests/checks/approval-gap.ts";
export type { CampaignFileWords, StageOutcome } from "./pull-requests/checks/campaign-files.ts";
export type { ChangeReport, ChangeWords } from "./pull-requests/checks/change.ts";
export type { EarlierTry, EvidenceWords, LostEvidence } from "./pull-requests/evidence.ts";
export type { MovesWords } from "./pull-requests/checks/moves.ts";
export type { OutlookWords } from "./pull-requests/bodies/outlook.ts";
export type { PlanCheck, PlanFinding } from "./pull-requests/checks/plan-check.ts";
export {
  countMigrating,
  type MoveRisk,
  printReplicas,
  printRisk,
  printRunSize,
} from "./pull-requests/proposal-words.ts";
export { type CheckVerdict, printCheck, printPull } from "./pull-requests/pull-text.ts";
export { printLastCheck, renderBehind, renderUncounted, renderUnjudged } from "./pull-requests/checks/unjudged.ts";
export { renderRollbackPull, type RollbackWords } from "./pull-requests/bodies/rollback.ts";
export { renderStagePull, type StageWords } from "./pull-requests/bodies/stage.ts";
export type { StageNote, StageObstacle } from "./pull-requests/checks/stage-part.ts";
export { type PullRequestJudgement, type PullRequestVerdict, renderVerdict } from "./pull-requests/checks/verdict.ts";
/** @internal Tests of what is decided read it as people do. */
export { printDemand } from "./markdown/approval-rule.ts";
/** @internal */
/** @internal */
export { printCampaignFile } from "./pull-requests/checks/campaign-files.ts";
/** @internal */
export { printEarlierTry, printEvidence, summariseEvidence } from "./pull-requests/evidence.ts";
/** @internal */
export { printOutlook } from "./pull-requests/bodies/outlook.ts";
/** @internal */
export { printStageNote, renderStageObstacle } from "./pull-requests/checks/stage-part.ts";
export { nameRuns, nameTakeover, printEndCounts } from "./transitions/run-end.ts";
