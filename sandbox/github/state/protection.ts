import { type Demands, readDemands } from "./demands.ts";
import type { Hub } from "./hub.ts";
import type { GithubUser } from "./options.ts";
import type { CheckRun, Pull, StatusRecord } from "./state.ts";

/** Conclusions that GitHub counts as green. */
const green: readonly (string | null)[] = ["success", "neutral", "skipped"];

type CheckState = "green" | "pending" | "failed";

function readRun({ status, conclusion }: CheckRun): CheckState {
  if (status !== "completed") return "pending";
  return green.includes(conclusion) ? "green" : "failed";
}

function readStatus({ state }: StatusRecord): CheckState {
  if (state === "pending") return "pending";
  return state === "success" ? "green" : "failed";
}

/**
 * A check counts by its newest check run and its newest commit status; if it has both, both must be green, as GitHub
 * documents.
 */
export function readCheckState(hub: Hub, sha: string, name: string): CheckState {
  const run = hub.state.checks.findLast((check) => check.sha === sha && check.name === name);
  const status = hub.state.statuses.findLast((entry) => entry.sha === sha && entry.context === name);
  const states = [...(run === undefined ? [] : [readRun(run)]), ...(status === undefined ? [] : [readStatus(status)])];
  if (states.includes("failed")) return "failed";
  return states.length === 0 || states.includes("pending") ? "pending" : "green";
}

function isStaleDismissed({ protection }: Hub): boolean {
  return protection.dismissStale === true || readDemands(protection).staleDismissed;
}

interface Votes {
  readonly approvers: readonly string[];
  readonly changesRequested: boolean;
}

/** The newest verdict of each reviewer that counts. */
export function countVotes(hub: Hub, pull: Pull): Votes {
  const latest = new Map<string, string>();
  for (const review of hub.state.reviews) {
    if (review.pull !== pull.number || review.state === "COMMENTED" || review.author === pull.author) continue;
    if (hub.users.find(({ login }) => login === review.author)?.mayWrite === false) continue;
    if (isStaleDismissed(hub) && review.commit !== pull.head) continue;
    latest.set(review.author, review.state);
  }
  const votes = [...latest];
  return {
    approvers: votes.filter(([, state]) => state === "APPROVED").map(([login]) => login),
    changesRequested: votes.some(([, state]) => state === "CHANGES_REQUESTED"),
  };
}

function findCheckObstacle(hub: Hub, { head }: Pull, { checks }: Demands): string | undefined {
  const missing = checks.filter((name) => readCheckState(hub, head, name) !== "green");
  if (missing.length === 0) return undefined;
  if (missing.length === 1) return `Required status check "${missing[0]}" is expected.`;
  return `${missing.length} of ${checks.length} required status checks are expected.`;
}

export function mayBypass({ protection }: Hub, login: string): boolean {
  return protection.bypass?.includes(login) === true;
}

/** True if this account may merge only by the merge queue. */
export function mustQueue(hub: Hub, pull: Pull, by: string): boolean {
  return pull.base === hub.defaultBranch && readBinding(hub, by).queue;
}

/** What binds this account: only classic protection, if it may bypass the ruleset. */
function readBinding(hub: Hub, by: string | undefined): Demands {
  const { rules: _, ...classic } = hub.protection;
  return readDemands(by !== undefined && mayBypass(hub, by) ? classic : hub.protection);
}

/** Without code owners no review of theirs is needed. */
function lacksOwner({ protection: { codeOwners = [] } }: Hub, approvers: readonly string[]): boolean {
  return codeOwners.length > 0 && !codeOwners.some((login) => approvers.includes(login));
}

/** The first requirement of reviews that is not met, in GitHub's words. */
export function findReviewObstacle(hub: Hub, pull: Pull, demands = readDemands(hub.protection)): string | undefined {
  const { approvers, changesRequested } = countVotes(hub, pull);
  if (changesRequested && demands.reviews > 0) return "Changes have been requested.";
  if (approvers.length < demands.reviews)
    return `At least ${demands.reviews} approving review is required by reviewers with write access.`;
  if (demands.codeOwners && lacksOwner(hub, approvers)) return "Waiting on code owner review.";
  const others = approvers.filter((login) => login !== hub.state.pushers.get(pull.branch));
  if (demands.lastPush && others.length === 0)
    return "New changes require approval from someone other than the last pusher.";
  return undefined;
}

/** Why the rules of the base do not allow the merge now, for an account, in GitHub's words; undefined when they allow it. */
function findObstacle(hub: Hub, pull: Pull, by?: string): string | undefined {
  if (pull.base !== hub.defaultBranch) return undefined;
  const demands = readBinding(hub, by);
  if (hub.protection.locked === true) return "Cannot change this locked branch";
  const early = findCheckObstacle(hub, pull, demands) ?? findReviewObstacle(hub, pull, demands);
  if (early !== undefined) return early;
  return demands.conversations && (hub.protection.openThreads ?? 0) > 0
    ? "A conversation must be resolved before this pull request can be merged."
    : undefined;
}

/** Ids of the pull request's commits without a verified signature. */
export async function listUnsigned(hub: Hub, pull: Pull): Promise<readonly string[]> {
  const base = hub.branches().get(pull.base) ?? pull.head;
  const shas = (await hub.repository.git(["rev-list", pull.head, `^${base}`])).split("\n");
  return shas.filter((sha) => sha !== "" && !hub.state.signed.has(sha));
}

/** The same as `findObstacle`, with what only git's history tells: signatures. */
export async function findMergeObstacle(hub: Hub, pull: Pull, by?: string): Promise<string | undefined> {
  const early = findObstacle(hub, pull, by);
  if (early !== undefined || pull.base !== hub.defaultBranch || !readBinding(hub, by).signatures) return early;
  return (await listUnsigned(hub, pull)).length > 0 ? "Commits must have verified signatures." : undefined;
}

/** True when the rules require the branch to be updated first. */
export async function isBehind(hub: Hub, pull: Pull): Promise<boolean> {
  if (pull.base !== hub.defaultBranch || !readDemands(hub.protection).strict) return false;
  const base = hub.branches().get(pull.base) ?? pull.head;
  return (await hub.repository.mergeBase(base, pull.head)) !== base;
}

/** Why a user who may write may not push to this branch without a pull request; undefined when allowed. */
export function findPushObstacle(hub: Hub, branch: string, user: GithubUser): string | undefined {
  const rules = readDemands(hub.protection);
  if (branch !== hub.defaultBranch || user.admin === true) return undefined;
  if (rules.reviews > 0) return "Changes must be made through a pull request.";
  return rules.checks.length > 0 ? "Required status checks are expected." : undefined;
}
