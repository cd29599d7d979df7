import { openRepository } from "#libs/git";
import { createThrottleGroups, type Scm, openScm, type PullRequest } from "#libs/scm";
import { join } from "node:path";

import { campaignName, campaignPath, demoCampaign, prepareRollouts } from "./files.ts";
import { type ScmAddress, scmWords } from "./scm/demo-scm.ts";
import type { DemoEnvironment } from "./start-world.ts";
import type { Login } from "./users.ts";

/** The branch of the pull request with the campaign. */
export const campaignBranch = `ana/${campaignName}`;

/** What people of the demo clone, and where they keep it. */
export type DemoRepository = Pick<DemoEnvironment, "scm" | "folder">;

/** A client of the demo's SCM with the token of one of its users. */
export function openAs({ kind, url, tokens }: ScmAddress, who: Login): Scm {
  const throttle = createThrottleGroups(10);
  return openScm({ kind, baseUrl: url, owner: "acme", repo: "rollouts", token: tokens[who], throttle });
}

async function openClone({ scm, folder }: DemoRepository) {
  return openRepository({
    url: scm.gitUrl,
    folder: join(folder, "clone-of-ana"),
    credentials: { token: scm.address.tokens.ana },
  });
}

/** Where each SCM takes a review, and what it calls an approval. */
const reviews = {
  github: { root: "", event: "APPROVE" },
  gitea: { root: "/api/v1", event: "APPROVED" },
} as const;

/** Approves the current head of a pull request. */
export async function approveAs({ kind, url, tokens }: ScmAddress, who: Login, number: number): Promise<void> {
  const { root, event } = reviews[kind];
  const response = await fetch(`${url}${root}/repos/acme/rollouts/pulls/${number}/reviews`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens[who]}`, "content-type": "application/json" },
    body: JSON.stringify({ event }),
  });
  if (!response.ok) throw new Error(`${scmWords[kind].name} took no approval of #${number}: ${response.status}`);
}

/** As ana, proposes the campaign, with its target at 0 % in rollouts.yml; once it is merged, meshroll proposes the stages. */
export async function proposeCampaign(environment: DemoRepository): Promise<PullRequest> {
  const { address } = environment.scm;
  const repository = await openClone(environment);
  const { main } = await repository.fetch();
  const pushed = await repository.commitAndPush({
    branch: campaignBranch,
    startAt: main,
    files: { [campaignPath]: demoCampaign, "rollouts.yml": prepareRollouts() },
    message: `Campaign ${campaignName}`,
    author: { name: "ana", email: scmWords[address.kind].nameAddress("ana") },
  });
  if (pushed.kind === "rejected") throw new Error(`the branch was not taken: ${pushed.why}`);
  return openAs(address, "ana").openPullRequest({
    branch: campaignBranch,
    base: "main",
    title: `Campaign ${campaignName}`,
    body: "Brings 1-25-2 to the whole fleet, stage by stage (MESH-412).",
  });
}

/** `rollouts.yml` of main; empty when absent. */
export async function readMergedRollouts(environment: DemoRepository): Promise<string> {
  const repository = await openClone(environment);
  const { main } = await repository.fetch();
  return (await repository.read(main, "rollouts.yml")) ?? "";
}

/** Number of comments under pull requests 1 to `pulls`. */
export async function countComments(address: ScmAddress, pulls: number): Promise<number> {
  const scm = openAs(address, "ben");
  const numbers = Array.from({ length: pulls }, (_, at) => at + 1);
  const found = await Promise.all(numbers.map(async (number) => scm.comments(number)));
  return found.flat().length;
}
