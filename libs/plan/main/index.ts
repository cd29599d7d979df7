export { type CompiledSpec, isReadPath, rolloutsPath, settingsPath } from "./compile-spec.ts";
export { listCampaignRuns, listMainRuns, listOpenOnBuckets } from "./campaign-runs.ts";
export { explainUnreadCommit } from "./explain-unread-commit.ts";
export { findNewestSpec } from "./newest-spec.ts";
export { PastAnswers } from "./past/past-answers.ts";
export {
  changesPatterns,
  wasRolledBackFrom,
  isPureRollback,
  isRollbackOf,
  judgeChanges,
  listForwardBuckets,
  listBucketsRolledBackTo,
  listRolledBackBuckets,
  listUndoable,
} from "./rollbacks.ts";
export { chooseStage, listOtherCampaigns, listStagesOfBuckets, type StageOfBucket } from "./campaigns-of-bucket.ts";
export { chooseBatchSettings, findCampaign, nameRunOwner, settingsOf, settingsOver } from "./run-settings.ts";
