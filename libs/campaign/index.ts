export type { CalendarState, Freeze, Window } from "./calendar.ts";
export type { Campaign, ClusterOrder, Exclusion, Stage } from "./campaign.ts";
export { checkCampaigns, listConflicts } from "./check-campaigns.ts";
export { checkSeed } from "./check-seed.ts";
export { parseDuration, printDuration } from "./duration.ts";
export type { Gate, GateMoment } from "./gate.ts";
export type { LabelRequirement, NamespaceSelector } from "./label-selector.ts";
export { isManagedNamespace, type ManagedAnswer } from "./managed-namespace.ts";
/** @internal `scripts/write-schemas.ts` publishes them. */
export { jsonSchemas } from "./json-schema.ts";
export { judgeCalendar } from "./judge-calendar.ts";
export { parseCampaign } from "./parse-campaign.ts";
export { planRamp } from "./plan-ramp.ts";
export { parseSettings } from "./parse-settings.ts";
export {
  type Amount,
  type ApprovalRule,
  type BatchSettings,
  type BroadcastOccasion,
  builtInSettings,
  type NotifyRule,
  type RollbackPolicy,
  type Settings,
} from "./settings.ts";
export { findNextStage, isReached } from "./stages.ts";
export { suggestWord } from "./suggest.ts";
