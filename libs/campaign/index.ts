export type { CalendarState, ClosedCause, Freeze, Window } from "./calendar/calendar.ts";
export { type Campaign, type ClusterOrder, type Exclusion, findExclusion, type Stage } from "./settings/campaign.ts";
export { checkCampaigns, listConflicts, findIdleExclusions } from "./check-campaigns.ts";
export { checkBuckets } from "./settings/check-buckets.ts";
export { checkSeed } from "./settings/check-seed.ts";
export { parseDuration, printDuration } from "./calendar/duration.ts";
export type { Gate, GateMoment } from "./settings/gate.ts";
export { type LabelRequirement, matchLabels, type NamespaceSelector } from "./settings/label-selector.ts";
export { isManagedNamespace, type ManagedAnswer } from "./settings/managed-namespace.ts";
/** @internal `scripts/write-schemas.ts` publishes them. */
export { jsonSchemas } from "./settings-file/json-schema.ts";
export { findStart, type Start } from "./calendar/find-start.ts";
export { judgeCalendar } from "./calendar/judge-calendar.ts";
export { parseCampaign } from "./parse-campaign.ts";
export { planRamp } from "./ramp/plan-ramp.ts";
export { parseLabelSelector } from "./settings/parse-label-selector.ts";
export { parseSettings } from "./settings-file/parse-settings.ts";
export {
  type Amount,
  type ApprovalRule,
  type BatchSettings,
  type BroadcastOccasion,
  builtInGates,
  builtInSettings,
  type ControlPlaneSettings,
  type NotifyRule,
  type RollbackPolicy,
  type DriftPolicy,
  type DriftSettings,
  type GatewayPolicy,
  type VmSettings,
  type Settings,
} from "./settings/settings.ts";
export { findNextStage, isReached } from "./ramp/stages.ts";
