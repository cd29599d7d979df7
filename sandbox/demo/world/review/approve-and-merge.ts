import { setTimeout as sleep } from "node:timers/promises";

import type { PullRequest, Scm } from "#libs/scm";

import { approveAs, type GithubAddress, openAs } from "../people.ts";

/** How long ben waits for green checks, and how often he tries, real ms. */
export interface Patience {
  readonly forMs: number;
  readonly everyMs: number;
}

/** Checks that the demo's GitHub requires for a merge; one that is not posted yet counts as pending. */
const required = ["meshroll/plan", "meshroll/approvals"] as const;
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

/** Checks that are not green, required ones that are missing included. */
async function listOpen(scm: Scm, { headSha }: PullRequest): Promise<readonly SeenCheck[]> {
  const posted = await scm.findChecks(headSha);
  const missing = required.filter((name) => posted.every((check) => check.name !== name));
  const unposted = missing.map((name) => ({ name, state: "pending", title: "not posted yet" }));
  return [...posted.filter(({ state }) => state !== "success"), ...unposted];
}

/** Tells whether and when trying again helps. */
function adviseAgain(open: readonly SeenCheck[]): string {
  if (open.some(({ state }) => state === "failure"))
    return `  a red check stays red until the pull request or the fleet changes; only then:  ${again}`;
  if (open.length === 0) return `  both checks are green: once what GitHub names has changed:  ${again}`;
  return `  the checks have not finished yet; try again:  ${again}`;
}

async function explainRefusal(scm: Scm, pull: PullRequest, why: string): Promise<string> {
  const open = await listOpen(scm, pull);
  return [
    `GitHub did not merge #${pull.number}, ben's approval stays: ${why}`,
    ...open.map(({ name, state, title }) => `  ${name} (${state}): ${title}`),
    adviseAgain(open),
  ].join("\n");
}

/**
 * As ben, approves the open pull request and merges it as soon as both checks are green. Throws with GitHub's refusal and the
 * checks.
 */
export async function approveAndMerge(
  github: Pick<GithubAddress, "url">,
  { forMs, everyMs }: Patience = { forMs: 150_000, everyMs: 250 },
): Promise<{ readonly number: number; readonly sha: string }> {
  const scm = openAs(github, "ben");
  const until = performance.now() + forMs;
  let approved: string | undefined;
  for (;;) {
    // Read again each time: meshroll may have pushed, and an old head cannot be merged.
    const pull = await requireWaiting(scm);
    if (pull.headSha !== approved) await approveAs(github, "ben", pull.number);
    approved = pull.headSha;
    const outcome = await scm.merge(pull.number, pull.headSha);
    if (outcome.kind === "merged") return { number: pull.number, sha: outcome.sha };
    const why = outcome.kind === "refused" ? outcome.why : "it is in the merge queue";
    if (performance.now() > until) throw new Error(await explainRefusal(scm, pull, why));
    await sleep(everyMs);
  }
}
