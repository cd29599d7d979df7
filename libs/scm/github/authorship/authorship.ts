import { z } from "zod";

import { readBanMs, readStatus } from "../../http/classify.ts";
import { readCoAuthors } from "./co-authors.ts";
import type { BranchPush, Scm, PullCommit, PullCommits } from "../../port/port.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import { readPages } from "../pull-requests/read-pages.ts";
import type { Wire } from "../calls/wire.ts";

/** Null or without a login: no account of GitHub has the address. */
const account = z.object({ login: z.string().optional() }).nullish();

const commit = z.object({
  sha: z.string(),
  author: account,
  committer: account,
  parents: z.array(z.object({ sha: z.string() })),
  commit: z.object({ message: z.string() }),
});

const activity = z.object({
  before: z.string(),
  after: z.string(),
  timestamp: z.iso.datetime({ offset: true }),
  activity_type: z.string(),
  actor: account,
});

const viewer = z.object({ viewer: z.object({ login: z.string() }) });

/** GitHub lists no more of one pull request. */
const mostCommits = 250;
/** As many moves of a branch as one request answers. */
const mostPushes = 100;

function toCommit({ sha, parents, author, committer, commit: { message } }: z.infer<typeof commit>): PullCommit {
  const [by, from] = [author?.login, committer?.login];
  return {
    sha,
    parents: parents.map((parent) => parent.sha),
    ...(by === undefined ? {} : { author: by }),
    ...(from === undefined ? {} : { committer: from }),
    ...readCoAuthors(message),
  };
}

/** Git's name of no commit. */
const nothing = /^0+$/u;

function toPush({ before, after, timestamp, activity_type: type, actor }: z.infer<typeof activity>): BranchPush {
  const by = actor?.login;
  const isPush = ["push", "force_push", "branch_creation", "branch_deletion"].includes(type);
  return {
    ...(nothing.test(before) ? {} : { before }),
    ...(nothing.test(after) ? {} : { after }),
    ...(by === undefined ? {} : { by }),
    at: Date.parse(timestamp),
    // What GitHub may call a move one day is no push of which we know all.
    kind: isPush ? "push" : "merge",
  };
}

function isHidden(error: unknown): boolean {
  const status = readStatus(error)?.status ?? 0;
  return [403, 404, 422].includes(status) && readBanMs(error, 0) === undefined;
}

/** Who wrote, committed and pushed what a pull request brings, and who we are. */
export function createAuthorship({
  octokit,
  call,
  here,
}: Wire): Pick<Scm, "pullCommits" | "branchPushes" | "ownLogin"> {
  let own: string | undefined;

  async function listCommits(number: number, doing: string): Promise<PullCommits> {
    const query = { ...here, pull_number: number };
    const answers = await readPages(doing, async (page) => octokit.rest.pulls.listCommits({ ...query, ...page }));
    const commits = parseAnswer(z.array(commit), answers, doing).map(toCommit);
    return { commits, isWhole: commits.length < mostCommits };
  }

  async function listPushes(branch: string, doing: string): Promise<readonly BranchPush[] | undefined> {
    try {
      const query = { ...here, ref: `refs/heads/${branch}`, per_page: mostPushes };
      return parseAnswer(z.array(activity), (await octokit.rest.repos.listActivities(query)).data, doing).map(toPush);
    } catch (error) {
      // An older GitHub Enterprise Server has no activity, and not every token may read it.
      if (isHidden(error)) return undefined;
      throw error;
    }
  }

  async function askLogin(doing: string): Promise<string | undefined> {
    try {
      // REST does not say who an app's installation is.
      own ??= parseAnswer(viewer, await octokit.graphql("query { viewer { login } }"), doing).viewer.login;
      return own;
    } catch (error) {
      if (isHidden(error)) return undefined;
      throw error;
    }
  }

  return {
    pullCommits: async (number) => {
      const doing = `reading the commits of ${number}`;
      return call(doing, async () => listCommits(number, doing));
    },
    branchPushes: async (branch) => {
      const doing = `reading who pushed to ${branch}`;
      return call(doing, async () => listPushes(branch, doing));
    },
    ownLogin: async () => {
      const doing = "asking GitHub who we are";
      return call(doing, async () => askLogin(doing));
    },
  };
}
