export { ScmRefused, ScmUnavailable } from "./errors.ts";
export { scmVariables, openConfiguredScm, requireWholeScm } from "./adapter/scm-config.ts";
export { escapeMarkdown, quoteMarkdown } from "./markdown.ts";
export { type ScmOptions, openScm } from "./adapter/octokit.ts";
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
export { createThrottleGroups, type ThrottleGroups } from "./calls/throttle-groups.ts";
export { type ScmProbe, probeScm, type RequiredCheck } from "./adapter/probe.ts";
