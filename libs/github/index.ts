/** @internal Told apart by tests. */
export { ForgeRefused, ForgeUnavailable } from "./errors.ts";
export { type ForgeOptions, openForge } from "./octokit.ts";
export type { Forge, MergeOutcome, PullRequest, PullRequestDraft, Review } from "./port.ts";
export { createThrottleGroups, type ThrottleGroups } from "./throttle-groups.ts";
