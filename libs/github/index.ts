export { ForgeRefused, ForgeUnavailable } from "./errors.ts";
export { forgeVariables, openConfiguredForge, requireWholeForge } from "./forge-config.ts";
export { escapeMarkdown, quoteMarkdown } from "./markdown.ts";
export { type ForgeOptions, openForge } from "./octokit.ts";
export type {
  BranchPush,
  Check,
  Comment,
  Deployment,
  DeploymentState,
  Forge,
  Issue,
  MergeOutcome,
  NewComment,
  Permission,
  PullCommit,
  PullCommits,
  PullRequest,
  PullRequestDraft,
  Reaction,
  Review,
  StandingCheck,
} from "./port.ts";
export { createThrottleGroups, type ThrottleGroups } from "./throttle-groups.ts";
export { type ForgeProbe, probeForge, type RequiredCheck } from "./probe.ts";
