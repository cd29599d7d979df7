import { openRepository } from "#libs/git";
import { createThrottleGroups, type Scm, openScm, type PullRequest } from "#libs/scm";
import { join } from "node:path";

import { campaignName, campaignPath, demoCampaign, prepareRollouts } from "./files.ts";
import { users } from "./users.ts";

/** The branch of the pull request with the campaign. */
export const campaignBranch = `ana/${campaignName}`;

/** URLs of the demo's GitHub, and the folder for clones. */
export interface GithubAddress {
  readonly url: string;
  readonly gitUrl: string;
  readonly folder: string;
}

/** A client of the demo's GitHub with the token of one of its users. */
export function openAs({ url }: Pick<GithubAddress, "url">, who: keyof typeof users): Scm {
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

/** Approves the current head of a pull request. */
export async function approveAs(
  { url }: Pick<GithubAddress, "url">,
  who: keyof typeof users,
  number: number,
): Promise<void> {
  const response = await fetch(`${url}/repos/acme/rollouts/pulls/${number}/reviews`, {
    method: "POST",
    headers: { authorization: `Bearer ${users[who].token}` },
    body: JSON.stringify({ event: "APPROVE" }),
  });
  if (!response.ok) throw new Error(`GitHub took no approval of #${number}: ${response.status}`);
}

/** As ana, proposes the campaign, with its target at 0 % in rollouts.yml; once it is merged, meshroll proposes the stages. */
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

/** `rollouts.yml` of main; empty when absent. */
export async function readMergedRollouts(github: GithubAddress): Promise<string> {
  const repository = await openClone(github);
  const { main } = await repository.fetch();
  return (await repository.read(main, "rollouts.yml")) ?? "";
}

/** Number of comments under pull requests 1 to `pulls`. */
export async function countComments(github: Pick<GithubAddress, "url">, pulls: number): Promise<number> {
  const scm = openAs(github, "ben");
  const numbers = Array.from({ length: pulls }, (_, at) => at + 1);
  const found = await Promise.all(numbers.map(async (number) => scm.comments(number)));
  return found.flat().length;
}
