export { type AppLogin, openAppLogin } from "./config/app-login.ts";
export type { CommitSigner, SignedDraft, SignedOutcome } from "./port/commit-signer.ts";
export { type Kept, type ScmReason, ScmRefused, ScmUnavailable } from "./port/errors.ts";
export {
  gitVariables,
  openConfiguredScm,
  openLogins,
  requireGitLogin,
  requireWholeApp,
  requireWholeScm,
  scmVariables,
} from "./config/scm-config.ts";
export { escapeMarkdown, linkMarkdown, quoteMarkdown } from "./port/markdown.ts";
export { type ScmOptions, openScm, probeScm } from "./config/open-scm.ts";
export type {
  Check,
  Comment,
  Deployment,
  DeploymentState,
  Scm,
  Issue,
  MergeOutcome,
  QueuedGroup,
  NewComment,
  Permission,
  PullCommit,
  PullRequest,
  PullRequestDraft,
  Review,
  PostedCheck,
} from "./port/port.ts";
export { type AppRole, describeRegistration, type Registration } from "./github/app/registration.ts";
export type { Rights } from "./github/app/rights.ts";
export { createThrottleGroups, type ThrottleGroups } from "./github/calls/throttle-groups.ts";
export { judgeLedgerRules, type LedgerProtection } from "./port/ledger-rules.ts";
export type { MergeDemands, ScmProbe, RequiredCheck } from "./port/probe.ts";
