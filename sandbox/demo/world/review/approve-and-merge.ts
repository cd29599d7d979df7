import { setTimeout as sleep } from "node:timers/promises";

import type { PullRequest, Scm } from "#libs/scm";

import { approveAs, type GithubAddress, openAs } from "../people.ts";

/** So long a person looks at a check that is not green before they give up, and how often they look, real ms. */
export interface Patience {
  readonly forMs: number;
  readonly everyMs: number;
}

/** What the demo's GitHub requires of a merge; one that is not posted yet is not through. */
const required = ["meshroll/plan", "meshroll/approvals"] as const;
const again = "npm run demo -- merge";

/** What waits for a person, a campaign's stage before what people proposed, as a pin: a rollback's merges itself. */
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

/** What is not green of the checks that GitHub requires, a missing one included. */
async function listOpen(scm: Scm, { headSha }: PullRequest): Promise<readonly SeenCheck[]> {
  const posted = await scm.findChecks(headSha);
  const missing = required.filter((name) => posted.every((check) => check.name !== name));
  const unposted = missing.map((name) => ({ name, state: "pending", title: "not posted yet" }));
  return [...posted.filter(({ state }) => state !== "success"), ...unposted];
}

/** Whether typing it again changes anything, and when. */
function adviseAgain(open: readonly SeenCheck[]): string {
  if (open.some(({ state }) => state === "failure"))
    return `  a red check stays red until the pull request or the fleet changes; only then:  ${again}`;
  if (open.length === 0) return `  both checks are green: once what GitHub names has changed:  ${again}`;
  return `  the checks are not through yet; try it again:  ${again}`;
}

async function explainRefusal(scm: Scm, pull: PullRequest, why: string): Promise<string> {
  const open = await listOpen(scm, pull);
  return [
    `GitHub did not merge #${pull.number}, ben's approval stays: ${why}`,
    ...open.map(({ name, state, title }) => `  ${name} (${state}): ${title}`),
    adviseAgain(open),
  ].join("\n");
}

/** Ben looks at the open pull request, approves and merges it as soon as both of meshroll's checks are green. */
export async function approveAndMerge(
  github: Pick<GithubAddress, "url">,
  { forMs, everyMs }: Patience = { forMs: 150_000, everyMs: 250 },
): Promise<{ readonly number: number; readonly sha: string }> {
  const scm = openAs(github, "ben");
  const until = performance.now() + forMs;
  let approved: string | undefined;
  for (;;) {
    // Read again each time: meshroll may have pushed to it meanwhile, and a head that is gone never merges.
    const pull = await requireWaiting(scm);
    if (pull.headSha !== approved) await approveAs(github, "ben", pull.number);
    approved = pull.headSha;
    const outcome = await scm.merge(pull.number, pull.headSha);
    if (outcome.kind !== "refused") return { number: pull.number, sha: outcome.sha };
    if (performance.now() > until) throw new Error(await explainRefusal(scm, pull, outcome.why));
    await sleep(everyMs);
  }
}
