export { type CompiledSpec, isReadPath, rolloutsPath, settingsPath } from "./compile-spec.ts";
export { listCampaignRuns, listOpenOnBuckets } from "./campaign-runs.ts";
export { explainUnreadCommit } from "./explain-unread-commit.ts";
export { findNewestSpec } from "./newest-spec.ts";
export { PastAnswers } from "./past/past-answers.ts";
export {
  isCutOff,
  isRollbackOf,
  judgeChanges,
  listForwardBuckets,
  listOverwritten,
  listRolledBackBuckets,
  listUndoable,
} from "./rollbacks.ts";
export { chooseStage, listOtherCampaigns, listSettingStages, type SettingStage } from "./setting-campaigns.ts";
export { findCampaign, nameRunOwner, settingsOf, settingsOver } from "./run-settings.ts";
