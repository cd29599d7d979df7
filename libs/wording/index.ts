export { explainFailedJob } from "./reasons/batches.ts";
/** @internal */
export { listReasonCodes } from "./reasons/reason.ts";
export { type Reason, type ReasonCode, type ReasonOf, renderReason, type RenderedReason } from "./reasons/reason.ts";
export { type ErrorPlace, explainForcedPush } from "./reasons/repository.ts";
export { type CampaignOwners, nameOwners, type StopWords } from "./reasons/runs.ts";
export type { SharesToSet } from "./reasons/stages.ts";
export { kubectlStop, nameResume, nameResumeVerb, quoteForShell, type ResumableStop } from "./resume-command.ts";
