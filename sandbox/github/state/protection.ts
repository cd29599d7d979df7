import type { Hub } from "./hub.ts";
import type { GithubUser } from "./options.ts";
import type { Pull } from "./state.ts";

/** Conclusions that GitHub takes for green. */
const green: readonly (string | null)[] = ["success", "neutral", "skipped"];

/**
 * The newest check run and the newest commit status of a name on a commit say whether it is green: where there are both,
 * both must be, as GitHub documents it.
 */
function isCheckGreen(hub: Hub, sha: string, name: string): boolean {
  const run = hub.state.checks.findLast((check) => check.sha === sha && check.name === name);
  const status = hub.state.statuses.findLast((entry) => entry.sha === sha && entry.context === name);
  if (run === undefined && status === undefined) return false;
  const isRunGreen = run === undefined || (run.status === "completed" && green.includes(run.conclusion));
  return isRunGreen && (status === undefined || status.state === "success");
}

function countApprovals(hub: Hub, pull: Pull): { readonly approvals: number; readonly changesRequested: boolean } {
  const latest = new Map<string, string>();
  for (const review of hub.state.reviews) {
    if (review.pull !== pull.number || review.state === "COMMENTED" || review.author === pull.author) continue;
    if (hub.users.find(({ login }) => login === review.author)?.mayWrite === false) continue;
    if (hub.protection.dismissStale === true && review.commit !== pull.head) continue;
    latest.set(review.author, review.state);
  }
  const states = [...latest.values()];
  return {
    approvals: states.filter((state) => state === "APPROVED").length,
    changesRequested: states.includes("CHANGES_REQUESTED"),
  };
}

/** Why the rules of the base do not let this be merged now, in GitHub's words; undefined when they do. */
export function findObstacle(hub: Hub, pull: Pull): string | undefined {
  if (pull.base !== hub.defaultBranch) return undefined;
  const missing = hub.protection.requiredChecks.filter((name) => !isCheckGreen(hub, pull.head, name));
  if (missing.length === 1) return `Required status check "${missing[0]}" is expected.`;
  if (missing.length > 1)
    return `${missing.length} of ${hub.protection.requiredChecks.length} required status checks are expected.`;
  const required = hub.protection.requiredReviews;
  if (required === 0) return undefined;
  const { approvals, changesRequested } = countApprovals(hub, pull);
  if (changesRequested) return "Changes have been requested.";
  if (approvals >= required) return undefined;
  return `At least ${required} approving review is required by reviewers with write access.`;
}

/** Why a user who may write may not move this branch without a pull request; undefined when that is free. */
export function findPushObstacle(hub: Hub, branch: string, user: GithubUser): string | undefined {
  const rules = hub.protection;
  if (branch !== hub.defaultBranch || user.admin === true) return undefined;
  if (rules.requiredReviews > 0) return "Changes must be made through a pull request.";
  return rules.requiredChecks.length > 0 ? "Required status checks are expected." : undefined;
}
