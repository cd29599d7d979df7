import { z } from "zod";

import { isHidden, readStatus } from "../../http/classify.ts";
import type { PullCommit, Scm } from "../../port/port.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import { readPages } from "../pull-requests/read-pages.ts";
import type { Wire } from "../calls/wire.ts";

/** Null or without a login: no account of GitHub has the address. */
const account = z.object({ login: z.string().optional() }).nullish();

const commit = z.object({ sha: z.string(), author: account, committer: account });

const user = z.object({ login: z.string() });
const viewer = z.object({ viewer: user });

/** GitHub's own account: the committer of what was written on its web pages. */
const webFlow = "web-flow";

function toCommit({ sha, author, committer }: z.infer<typeof commit>): PullCommit {
  const by = author?.login;
  const from = committer?.login === webFlow ? by : committer?.login;
  return { sha, ...(by === undefined ? {} : { author: by }), ...(from === undefined ? {} : { committer: from }) };
}

function cannotTell(error: unknown): boolean {
  return isHidden(error) || readStatus(error)?.status === 422;
}

/** Who wrote and committed the commits of a pull request, and who we are. */
export function createAuthorship({ octokit, call, here }: Wire): Pick<Scm, "pullCommits" | "ownLogin"> {
  let own: string | undefined;

  /** GitHub lists at most the first 250. */
  async function listCommits(number: number, doing: string): Promise<readonly PullCommit[]> {
    const query = { ...here, pull_number: number };
    const answers = await readPages(doing, async (page) => octokit.rest.pulls.listCommits({ ...query, ...page }));
    return parseAnswer(z.array(commit), answers, doing).map(toCommit);
  }

  async function readIfAllowed(read: () => Promise<string>): Promise<string | undefined> {
    try {
      return await read();
    } catch (error) {
      if (cannotTell(error)) return undefined;
      throw error;
    }
  }

  /** The login of an App's installation is only in GraphQL, which not every server has; REST is the second try. */
  async function askLogin(doing: string): Promise<string | undefined> {
    const askViewer = async () => octokit.graphql("query { viewer { login } }");
    own ??= await readIfAllowed(async () => parseAnswer(viewer, await askViewer(), doing).viewer.login);
    own ??= await readIfAllowed(
      async () => parseAnswer(user, (await octokit.rest.users.getAuthenticated()).data, doing).login,
    );
    return own;
  }

  return {
    pullCommits: async (number) => {
      const doing = `reading the commits of ${number}`;
      return call(doing, async () => listCommits(number, doing));
    },
    ownLogin: async () => {
      const doing = "asking GitHub who we are";
      return call(doing, async () => askLogin(doing));
    },
  };
}
