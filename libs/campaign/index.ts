export { parseDuration } from "./duration.ts";
export type { LabelRequirement, NamespaceSelector } from "./label-selector.ts";
export { isManagedNamespace, type ManagedAnswer } from "./managed-namespace.ts";
export { parseSettings } from "./parse-settings.ts";
export { type Amount, type BatchSettings, builtInSettings, type Settings } from "./settings.ts";
