export { ForgeRefused, ForgeUnavailable } from "./errors.ts";
export { forgeVariables, openConfiguredForge, requireWholeForge } from "./forge-config.ts";
export { type ForgeOptions, openForge } from "./octokit.ts";
export type {
  Check,
  Comment,
  Deployment,
  DeploymentState,
  Forge,
  MergeOutcome,
  PullRequest,
  PullRequestDraft,
  Review,
} from "./port.ts";
export { createThrottleGroups, type ThrottleGroups } from "./throttle-groups.ts";
