import { readStatus } from "../http/classify.ts";
import { ScmRefused } from "../port/errors.ts";
import { findMerged } from "../port/find-merged.ts";
import type { MergeMethod } from "../port/merge-method.ts";
import type { MergeOutcome, PullRequest, Scm } from "../port/port.ts";
import { listMissingRules, readProtections } from "./protections.ts";
import type { GiteaClient } from "./client.ts";
import { toPullRequest } from "./pull-request.ts";

/** How Gitea makes the commit on the protected branch. */
export type GiteaMergeMethod = "merge" | "squash" | "rebase" | "rebase-merge" | "fast-forward-only";

/** The nearest style of those that both SCMs have. */
const styles: Readonly<Record<GiteaMergeMethod, MergeMethod>> = {
  merge: "merge",
  squash: "squash",
  rebase: "rebase",
  "rebase-merge": "rebase",
  "fast-forward-only": "rebase",
};

/** Gitea checks each pull request after a push for conflicts, and refuses merges with these words until it has. */
const stillChecking = /try again later/iu;
const mostTries = 10;

/** Merges a pull request at the head that was judged. */
export function createMerge(
  client: GiteaClient,
  method: GiteaMergeMethod,
): Pick<Scm, "merge" | "missingRules" | "queuedGroups" | "mergeStyle"> {
  async function get(number: number): Promise<PullRequest> {
    return toPullRequest(await client.get(`pulls/${number}`), `reading pull request ${number}`);
  }

  /** Gitea's message when it refuses the merge; undefined: it accepted it. */
  async function request(number: number, head: string): Promise<string | undefined> {
    try {
      await client.send("POST", `pulls/${number}/merge`, { Do: method, head_commit_id: head });
      return undefined;
    } catch (error) {
      const answer = readStatus(error);
      if (answer === undefined || ![404, 405, 409, 422].includes(answer.status)) throw error;
      return answer.message;
    }
  }

  /** A refusal that is known without asking Gitea, which answers several causes in the same words. */
  function findObstacle(pull: PullRequest, head: string): MergeOutcome | undefined {
    if (pull.state === "closed") return { kind: "refused", why: `pull request ${pull.number} is not open` };
    if (pull.headSha !== head) return { kind: "refused", why: "the head of the pull request is another one now" };
    return undefined;
  }

  async function merge(number: number, head: string): Promise<MergeOutcome> {
    const before = await get(number);
    const known = findMerged(before, head) ?? findObstacle(before, head);
    if (known !== undefined) return known;
    for (let tried = 1; ; tried += 1) {
      const why = await request(number, head);
      const merged = findMerged(await get(number), head);
      if (merged !== undefined) return merged;
      if (why === undefined)
        throw new ScmRefused(`pull request ${number} is not merged though Gitea said so`, "look at it on Gitea");
      if (!stillChecking.test(why)) return { kind: "refused", why };
      // Gitea answers a conflict in the same words as a merge that it has not checked yet.
      if (tried === mostTries)
        return { kind: "refused", why: "Gitea cannot merge it: a conflict, or it is still trying" };
      // About 22 s in all with the usual pause: a busy server takes more than two.
      await client.pause(tried / 2);
    }
  }

  return {
    merge: async (number, head) => client.call(`merging ${number}`, async () => merge(number, head)),
    // Gitea has no merge queue.
    queuedGroups: async () => [],
    mergeStyle: async () => styles[method],
    missingRules: async (branch) =>
      client.call(`reading the rules of ${branch}`, async () =>
        listMissingRules(await readProtections(client), branch),
      ),
  };
}
