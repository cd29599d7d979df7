export type { CalendarState, Freeze, Window } from "./calendar.ts";
export type { Campaign, ClusterOrder, Exclusion, Stage } from "./campaign.ts";
export { parseDuration } from "./duration.ts";
export type { Gate, GateMoment } from "./gate.ts";
export type { LabelRequirement, NamespaceSelector } from "./label-selector.ts";
export { isManagedNamespace, type ManagedAnswer } from "./managed-namespace.ts";
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
