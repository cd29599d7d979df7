import { openRepository } from "#libs/git";
import { createThrottleGroups, type Scm, openScm, type PullRequest } from "#libs/github";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { campaignName, campaignPath, demoCampaign, prepareRollouts } from "./files.ts";
import { users } from "./users.ts";

/** The branch on which the campaign comes. */
export const campaignBranch = `ana/${campaignName}`;

/** Where the demo's GitHub answers. */
export interface GithubAddress {
  readonly url: string;
  readonly gitUrl: string;
  readonly folder: string;
}

function openAs({ url }: Pick<GithubAddress, "url">, who: keyof typeof users): Scm {
  const throttle = createThrottleGroups(10);
  return openScm({ baseUrl: url, owner: "acme", repo: "rollouts", token: users[who].token, throttle });
}

async function openClone({ gitUrl, folder }: GithubAddress) {
  return openRepository({
    url: gitUrl,
    folder: join(folder, "clone-of-ana"),
    credentials: { token: users.ana.token },
  });
}

/** Ana writes the campaign, and a line for its target at 0 %: from the merge on, meshroll proposes the stages. */
export async function proposeCampaign(github: GithubAddress): Promise<PullRequest> {
  const repository = await openClone(github);
  const { main } = await repository.fetch();
  const pushed = await repository.commitAndPush({
    branch: campaignBranch,
    startAt: main,
    files: { [campaignPath]: demoCampaign, "rollouts.yml": prepareRollouts() },
    message: `Campaign ${campaignName}`,
    author: { name: "ana", email: "ana@users.noreply.github.com" },
  });
  if (pushed.kind === "rejected") throw new Error(`the branch was not taken: ${pushed.why}`);
  return openAs(github, "ana").openPullRequest({
    branch: campaignBranch,
    base: "main",
    title: `Campaign ${campaignName}`,
    body: "Brings 1-25-2 to the whole fleet, stage by stage (MESH-412).",
  });
}

/** `rollouts.yml` as main has it. */
export async function readMergedRollouts(github: GithubAddress): Promise<string> {
  const repository = await openClone(github);
  const { main } = await repository.fetch();
  return (await repository.read(main, "rollouts.yml")) ?? "";
}

/** So long a person looks at a red check before they give up, and how often they look, real ms. */
const patienceMs = 150_000;
const reconcileMs = 250;

/** Pull requests that wait for a person: a rollback's merges itself. */
async function findWaiting(scm: Scm): Promise<PullRequest | undefined> {
  const open = await scm.listOpenPullRequests("main");
  return open.find(({ branch }) => !branch.startsWith("meshroll/rollback/"));
}

/** Why GitHub did not merge it, with what meshroll's checks say, and whether it is worth trying again. */
async function explainRefusal(scm: Scm, pull: PullRequest, why: string): Promise<string> {
  const checks = await scm.postedChecks(pull.headSha);
  const open = checks.filter(({ state }) => state !== "success");
  const isRed = open.some(({ state }) => state === "failure");
  return [
    `GitHub did not merge #${pull.number}, ben's approval stays: ${why}`,
    ...open.map(({ name, state, title }) => `  ${name} (${state}): ${title}`),
    isRed ? "  a red check stays red until the pull request or the fleet changes" : "  the checks are not through yet",
    "  try it again:  npm run demo -- merge",
  ].join("\n");
}

/** Ben looks at the open pull request, approves and merges it as soon as both of meshroll's checks are green. */
export async function approveAndMerge(
  github: Pick<GithubAddress, "url">,
): Promise<{ readonly number: number; readonly sha: string }> {
  const scm = openAs(github, "ben");
  const pull = await findWaiting(scm);
  if (pull === undefined) throw new Error("there is no open pull request to merge");
  await scm.approve(pull.number);
  const until = performance.now() + patienceMs;
  for (;;) {
    const outcome = await scm.merge(pull.number, pull.headSha);
    if (outcome.kind !== "refused") return { number: pull.number, sha: outcome.sha };
    if (performance.now() > until) throw new Error(await explainRefusal(scm, pull, outcome.why));
    await sleep(reconcileMs);
  }
}

/** Comments under the first so many pull requests, as ben sees them. */
export async function countComments(github: Pick<GithubAddress, "url">, pulls: number): Promise<number> {
  const scm = openAs(github, "ben");
  const numbers = Array.from({ length: pulls }, (_, at) => at + 1);
  const found = await Promise.all(numbers.map(async (number) => scm.comments(number)));
  return found.flat().length;
}
