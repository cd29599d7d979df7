import { createThrottleGroups, type Forge, openForge, type PullRequest } from "#libs/github";
import { openRepository } from "#libs/git";
import { editShares } from "#libs/spec";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { publishedRollouts } from "./files.ts";
import { users } from "./users.ts";

/** The branch of the change that the demo is about. */
export const branch = "ana/staging-50";

/** Where the demo's GitHub answers. */
export interface GithubAddress {
  readonly url: string;
  readonly gitUrl: string;
  readonly folder: string;
}

function openAs({ url }: Pick<GithubAddress, "url">, who: keyof typeof users): Forge {
  const throttle = createThrottleGroups(10);
  return openForge({ baseUrl: url, owner: "acme", repo: "rollouts", token: users[who].token, throttle });
}

/** The published file with `.*-staging` at 50 %: two numbers differ. */
export function proposedRollouts(): string {
  const shares = [
    { revision: "1-24-5", weight: 50 },
    { revision: "1-25-2", weight: 50 },
  ];
  const edited = editShares(publishedRollouts, [{ pattern: ".*-staging", shares }]);
  if (!edited.ok) throw new Error("bug: the published file cannot be edited");
  return edited.text;
}

/** Ana edits two numbers of the published file and opens a pull request. */
export async function proposeChange(github: GithubAddress): Promise<PullRequest> {
  const repository = await openRepository({
    url: github.gitUrl,
    folder: join(github.folder, "clone-of-ana"),
    credentials: { token: users.ana.token },
  });
  const { main } = await repository.fetch();
  const pushed = await repository.commitAndPush({
    branch,
    startAt: main,
    files: { "rollouts.yml": proposedRollouts() },
    message: "staging: 1-25-2 from 25 to 50 %",
    author: { name: "ana", email: "ana@example.com" },
  });
  if (pushed.kind === "rejected") throw new Error(`the branch was not taken: ${pushed.why}`);
  return openAs(github, "ana").openPullRequest({
    branch,
    base: "main",
    title: "staging: 1-25-2 from 25 to 50 %",
    body: "Raises `.*-staging` from 25 to 50 %.",
  });
}

/** So long a person looks at a red check before they give up, and how often they look, real ms. */
const patienceMs = 30_000;
const lookMs = 250;

/** Ben looks at it, approves and merges it as soon as both of meshroll's checks are green; answers the merge's SHA. */
export async function approveAndMerge(github: Pick<GithubAddress, "url">): Promise<string> {
  const forge = openAs(github, "ben");
  const [pull] = await forge.findPullRequests(branch);
  if (pull === undefined) throw new Error("there is no pull request to merge");
  if (pull.state === "merged") return pull.mergeSha ?? "";
  await forge.approve(pull.number);
  const until = performance.now() + patienceMs;
  for (;;) {
    const outcome = await forge.merge(pull.number, pull.headSha);
    if (outcome.kind !== "refused") return outcome.sha;
    if (performance.now() > until) throw new Error(`GitHub did not merge it: ${outcome.why}`);
    await sleep(lookMs);
  }
}

/** Comments under the first so many pull requests, as ben sees them. */
export async function countComments(github: Pick<GithubAddress, "url">, pulls: number): Promise<number> {
  const forge = openAs(github, "ben");
  const numbers = Array.from({ length: pulls }, (_, at) => at + 1);
  const found = await Promise.all(numbers.map(async (number) => forge.comments(number)));
  return found.flat().length;
}
