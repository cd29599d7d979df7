export { ScmRefused, ScmUnavailable } from "./errors.ts";
export { scmVariables, openConfiguredScm, requireWholeScm } from "./scm-config.ts";
export { escapeMarkdown, quoteMarkdown } from "./markdown.ts";
export { type ScmOptions, openScm } from "./octokit.ts";
export type {
  BranchPush,
  Check,
  Comment,
  Deployment,
  DeploymentState,
  Scm,
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
  PostedCheck,
} from "./port.ts";
export { createThrottleGroups, type ThrottleGroups } from "./throttle-groups.ts";
export { type ScmProbe, probeScm, type RequiredCheck } from "./probe.ts";
