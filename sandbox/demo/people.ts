import { createThrottleGroups, type Forge, openForge, type PullRequest } from "#libs/github";
import { openRepository } from "#libs/git";
import { editShares } from "#libs/spec";
import { join } from "node:path";

import { publishedRollouts } from "./files.ts";
import { users } from "./start-world.ts";

const branch = "ana/staging-50";

/** Where the demo's GitHub answers. */
export interface GithubAddress {
  readonly url: string;
  readonly gitUrl: string;
  readonly folder: string;
}

function openAs({ url }: GithubAddress, who: keyof typeof users): Forge {
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

/** Ben looks at it and merges it: the protection asks for one review, and ana's own does not count. */
export async function approveAndMerge(github: GithubAddress): Promise<string> {
  const forge = openAs(github, "ben");
  const [pull] = await forge.findPullRequests(branch);
  if (pull === undefined) throw new Error("there is no pull request to merge");
  if (pull.state === "merged") return pull.mergeSha ?? "";
  await forge.approve(pull.number);
  const outcome = await forge.merge(pull.number, pull.headSha);
  if (outcome.kind === "refused") throw new Error(`GitHub did not merge it: ${outcome.why}`);
  return outcome.sha;
}
