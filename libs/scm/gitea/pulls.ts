import { z } from "zod";

import { readStatus } from "../http/classify.ts";
import { parseAnswer } from "../http/parse-answer.ts";
import type { PullRequest, PullRequestDraft, Scm } from "../port/port.ts";
import type { GiteaClient } from "./client.ts";
import { toLogin, toPullRequest, toText } from "./pull-request.ts";

type Pulls = Pick<
  Scm,
  | "openPullRequest"
  | "findPullRequests"
  | "findPullRequest"
  | "findByMergeCommit"
  | "listOpenPullRequests"
  | "updatePullRequest"
  | "closePullRequest"
>;

const timeline = z.array(z.object({ type: z.string(), user: z.object({ login: z.string() }).nullish() }));

/** Finds, opens, edits and closes pull requests. */
export function createPulls(client: GiteaClient): Pulls {
  const { call } = client;
  /** Who closed or merged, by number, event and time. */
  const actors = new Map<string, string | undefined>();

  async function get(number: number): Promise<PullRequest> {
    return complete(toPullRequest(await client.get(`pulls/${number}`), `reading pull request ${number}`));
  }

  /** The author of its newest event of that type; read once per closing, since it may be reopened. */
  async function findActor({ number, closedAt }: PullRequest, event: string): Promise<string | undefined> {
    const key = `${number} ${event} ${closedAt ?? ""}`;
    if (!actors.has(key)) {
      const doing = `reading who closed pull request ${number}`;
      const events = parseAnswer(timeline, await client.list(`issues/${number}/timeline`, doing), doing);
      actors.set(key, toLogin(events.findLast(({ type }) => type === event)?.user));
    }
    return actors.get(key);
  }

  /** Adds who closed or merged it: the pull request itself does not always say. */
  async function complete(pull: PullRequest): Promise<PullRequest> {
    if (pull.state === "open" || pull.mergedBy !== undefined) return pull;
    const by = await findActor(pull, pull.state === "merged" ? "merge_pull" : "close");
    if (by === undefined) return pull;
    return pull.state === "merged" ? { ...pull, mergedBy: by } : { ...pull, closedBy: by };
  }

  /** Gitea has no filter by head branch. The greatest number is the newest. */
  async function listOfBranch(branch: string, state: "open" | "all", doing: string): Promise<readonly PullRequest[]> {
    const answers = await client.list("pulls", doing, { state });
    const pulls = answers.map((answer) => toPullRequest(answer, doing));
    const own = pulls.filter((pull) => pull.branch === branch && pull.fork !== true);
    return Promise.all(own.toSorted((a, b) => b.number - a.number).map(complete));
  }

  async function findOpen({ branch, base }: PullRequestDraft, doing: string): Promise<PullRequest | undefined> {
    return (await listOfBranch(branch, "open", doing)).findLast((pull) => pull.base === base);
  }

  async function open(draft: PullRequestDraft, doing: string): Promise<PullRequest> {
    const before = await findOpen(draft, doing);
    if (before !== undefined) return before;
    const { branch, base, title, body } = draft;
    try {
      const made = toPullRequest(await client.send("POST", "pulls", { head: branch, base, title, body }), doing);
      return await closeDuplicate(draft, made, doing);
    } catch (error) {
      // Another planner was first, or the answer of an earlier request was lost: Gitea allows one per branch.
      const found = readStatus(error)?.status === 409 ? await findOpen(draft, doing) : undefined;
      if (found === undefined) throw error;
      return found;
    }
  }

  /** Gitea may open two when two are requested at once: each caller closes its own unless it is the first. */
  async function closeDuplicate(draft: PullRequestDraft, made: PullRequest, doing: string): Promise<PullRequest> {
    const first = await findOpen(draft, doing);
    if (first === undefined || first.number >= made.number) return made;
    await client.send("PATCH", `pulls/${made.number}`, { state: "closed" });
    return first;
  }

  async function findIfThere(read: () => Promise<PullRequest>): Promise<PullRequest | undefined> {
    try {
      return await read();
    } catch (error) {
      if (readStatus(error)?.status === 404) return undefined;
      throw error;
    }
  }

  async function update(number: number, text: Pick<PullRequestDraft, "title" | "body">, doing: string) {
    const before = toText(await client.get(`pulls/${number}`), doing);
    if (before.title === text.title && before.body === text.body) return false;
    await client.send("PATCH", `pulls/${number}`, { title: text.title, body: text.body });
    return true;
  }

  async function findByMergeCommit(sha: string, doing: string): Promise<PullRequest | undefined> {
    const found = await findIfThere(async () => toPullRequest(await client.get(`commits/${sha}/pull`), doing));
    // That answer does not say who merged.
    return found?.mergeSha === sha ? get(found.number) : undefined;
  }

  return {
    openPullRequest: async (draft) => {
      const doing = `opening a pull request for ${draft.branch}`;
      return call(doing, async () => open(draft, doing));
    },
    findPullRequests: async (branch) => {
      const doing = `listing pull requests of ${branch}`;
      return call(doing, async () => listOfBranch(branch, "all", doing));
    },
    findPullRequest: async (number) =>
      call(`reading pull request ${number}`, async () => findIfThere(async () => get(number))),
    findByMergeCommit: async (sha) => {
      const doing = `finding the pull request of ${sha.slice(0, 12)}`;
      return call(doing, async () => findByMergeCommit(sha, doing));
    },
    listOpenPullRequests: async (base) => {
      const doing = `listing open pull requests to ${base}`;
      return call(doing, async () => {
        const answers = await client.list("pulls", doing, { state: "open", sort: "oldest", base_branch: base });
        const pulls = answers.map((answer) => toPullRequest(answer, doing)).filter((pull) => pull.base === base);
        return pulls.toSorted((a, b) => a.number - b.number);
      });
    },
    updatePullRequest: async (number, text) => {
      const doing = `editing pull request ${number}`;
      return call(doing, async () => update(number, text, doing));
    },
    closePullRequest: async (number) =>
      call(`closing pull request ${number}`, async () => {
        if ((await get(number)).state === "open") await client.send("PATCH", `pulls/${number}`, { state: "closed" });
      }),
  };
}
