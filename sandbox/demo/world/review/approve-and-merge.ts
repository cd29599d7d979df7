import { setTimeout as sleep } from "node:timers/promises";

import type { PullRequest, Scm } from "#libs/scm";

import { approveAs, openAs } from "../people.ts";
import { requiredChecks, type ScmAddress, type ScmKind, scmWords } from "../scm/demo-scm.ts";
import type { Login } from "../users.ts";

/** How long people wait for green checks, and how often they try, real ms. */
export interface Patience {
  readonly forMs: number;
  readonly everyMs: number;
}

const again = "npm run demo -- merge";

/**
 * The open pull request that a person should merge: a stage's before other ones, never a rollback's, which merges itself.
 * Throws when there is none.
 */
async function requireWaiting(scm: Scm): Promise<PullRequest> {
  const open = await scm.listOpenPullRequests("main");
  const waiting = open.filter(({ branch }) => !branch.startsWith("meshroll/rollback/"));
  const found = waiting.find(({ branch }) => branch.startsWith("meshroll/")) ?? waiting[0];
  if (found === undefined) throw new Error("there is no open pull request to merge");
  return found;
}

interface SeenCheck {
  readonly name: string;
  readonly state: string;
  readonly title: string;
}

/**
 * Who approves it, the one first who merges. Gitea does not tell who pushed, so one approval more is needed where people proposed a
 * change.
 */
function listReviewers(kind: ScmKind, { branch }: PullRequest): readonly [Login, ...Login[]] {
  return kind === "gitea" && !branch.startsWith("meshroll/") ? ["ben", "cleo"] : ["ben"];
}

/** Checks that are not green, required ones that are missing included: one that is not posted yet counts as pending. */
async function listOpen(scm: Scm, { headSha }: PullRequest): Promise<readonly SeenCheck[]> {
  const posted = await scm.findChecks(headSha);
  const missing = requiredChecks.filter((name) => posted.every((check) => check.name !== name));
  const unposted = missing.map((name) => ({ name, state: "pending", title: "not posted yet" }));
  return [...posted.filter(({ state }) => state !== "success"), ...unposted];
}

/** Tells whether and when trying again helps. */
function adviseAgain(kind: ScmKind, open: readonly SeenCheck[]): string {
  const { name, check, checks } = scmWords[kind];
  if (open.some(({ state }) => state === "failure"))
    return `  a red ${check} stays red until the pull request or the fleet changes; only then:  ${again}`;
  if (open.length === 0) return `  both ${checks} are green: once what ${name} names has changed:  ${again}`;
  return `  the ${checks} have not finished yet; try again:  ${again}`;
}

/** Names of people in a sentence. */
export function joinNames(names: readonly string[]): string {
  return names.join(" and ");
}

async function explainRefusal(address: ScmAddress, scm: Scm, pull: PullRequest, why: string): Promise<string> {
  const { kind } = address;
  const open = await listOpen(scm, pull);
  const approval = `${joinNames(listReviewers(kind, pull))}'s approval stays`;
  return [
    `${scmWords[kind].name} did not merge #${pull.number}, ${approval}: ${why}`,
    ...open.map(({ name, state, title }) => `  ${name} (${state}): ${title}`),
    adviseAgain(kind, open),
  ].join("\n");
}

/** A pull request that was merged. */
export interface ReviewedMerge {
  readonly number: number;
  readonly sha: string;
  readonly reviewers: readonly string[];
}

/**
 * As ben, and cleo where one approval is not enough, approves the open pull request and merges it as soon as both checks are green.
 * Throws with the SCM's refusal and the checks.
 */
export async function approveAndMerge(
  address: ScmAddress,
  { forMs, everyMs }: Patience = { forMs: 150_000, everyMs: 250 },
): Promise<ReviewedMerge> {
  const scm = openAs(address, "ben");
  const until = performance.now() + forMs;
  let approved: string | undefined;
  for (;;) {
    // Read again each time: meshroll may have pushed, and an old head cannot be merged.
    const pull = await requireWaiting(scm);
    const reviewers = listReviewers(address.kind, pull);
    if (pull.headSha !== approved) for (const who of reviewers) await approveAs(address, who, pull.number);
    approved = pull.headSha;
    const outcome = await scm.merge(pull.number, pull.headSha);
    if (outcome.kind === "merged") return { number: pull.number, sha: outcome.sha, reviewers };
    const why = outcome.kind === "refused" ? outcome.why : "it is in the merge queue";
    if (performance.now() > until) throw new Error(await explainRefusal(address, scm, pull, why));
    await sleep(everyMs);
  }
}
