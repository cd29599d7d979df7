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
  idleLine,
  nothingLine,
  unknownWhereLine,
} from "./status/answers.ts";
export { type Coming, type ComingEvent, lineComing, type MergeWay, renderComing } from "./status/coming.ts";
export { type CommandStatus, lineCommand, renderPause, renderUndo, type UndoStatus } from "./status/way-back.ts";
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
export { type Choice, chooseResumed, isPlacedByMeshroll, listChoices } from "./stop-choices.ts";
export { type ErrorPlace, explainForcedPush, type OlderProcess, type UnknownProcess } from "./reasons/repository.ts";
export { type CampaignOwners, nameOwners, type StopWords } from "./reasons/runs.ts";
export type { SharesToSet } from "./reasons/stages.ts";
export {
  printWorkloadReason,
  type RefusedReason,
  type RenderedWorkloadReason,
  type SkippedFor,
  renderWorkloadReason,
  type UnmanagedReason,
  type WaitingReason,
  type WorkloadReason,
} from "./workloads.ts";
export { type RemediationReason, renderRemediation } from "./remediations.ts";
export type { RollbackRefusal } from "./rollback-refusals.ts";
export { type RecordedStopProblem, renderStopProblem } from "./recorded-stops.ts";
export type { FileError } from "./file-errors.ts";
export { printDifference, printStopCause, printStopEnd } from "./transitions/stop-causes.ts";
export { renderTransition, type TransitionReason, type TransitionReasonOf } from "./transitions/transition.ts";
export { kubectlStop, nameResume, nameResumeVerb, quoteForShell, type ResumableStop } from "./resume-command.ts";
