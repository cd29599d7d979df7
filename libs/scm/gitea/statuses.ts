import { z } from "zod";

import { parseAnswer } from "../http/parse-answer.ts";
import type { Check, PostedCheck, Scm } from "../port/port.ts";
import type { GiteaClient } from "./client.ts";
import { toLogin } from "./pull-request.ts";

const names = ["meshroll/plan", "meshroll/approvals"] as const;

/** What fits into one line of Gitea's page. */
const longestTitle = 140;

const statuses = z.array(
  z.object({
    id: z.int(),
    context: z.string(),
    status: z.string(),
    description: z.string().nullish(),
    target_url: z.string().nullish(),
    creator: z.object({ login: z.string() }).nullish(),
  }),
);

interface PostedStatus {
  readonly check: Check;
  readonly by: string;
  readonly own: boolean;
}

function toState(word: string): Check["state"] {
  return word === "success" || word === "pending" ? word : "failure";
}

function shorten(title: string): string {
  return title.length <= longestTitle ? title : `${title.slice(0, longestTitle - 1)}…`;
}

/** A check as a commit status: one line, and `pending` for neutral, since what was not judged must not be green. */
function toLine(check: Check): Check {
  const state = check.state === "neutral" ? "pending" : check.state;
  return { ...check, state, title: shorten(check.title), summary: "" };
}

/** Our checks on commits. Gitea has only commit statuses: one line each, and anyone who may write can post them. */
export function createStatuses(
  client: GiteaClient,
  askLogin: () => Promise<string>,
): Pick<Scm, "postCheck" | "findChecks"> {
  /** The newest of each of our names. */
  async function read(sha: string, doing: string): Promise<readonly PostedStatus[]> {
    const login = await askLogin();
    const answers = parseAnswer(statuses, await client.list(`commits/${sha}/statuses`, doing), doing);
    const all = answers
      .toSorted((a, b) => b.id - a.id)
      .map(({ context, status, description, target_url: url, creator }) => {
        const by = toLogin(creator) ?? "ghost";
        const leadsTo = url === null || url === undefined || url === "" ? {} : { detailsUrl: url };
        return { context, state: toState(status), title: description ?? "", leadsTo, by, own: by === login };
      });
    return names.flatMap((name) => {
      const found = all.find(({ context }) => context === name);
      if (found === undefined) return [];
      const { state, title, leadsTo, by, own } = found;
      return [{ check: { name, headSha: sha, state, title, summary: "", ...leadsTo }, by, own }];
    });
  }

  async function post(check: Check, doing: string): Promise<void> {
    const line = toLine(check);
    const before = (await read(check.headSha, doing)).find((each) => each.check.name === check.name);
    const stands = before?.check.state === line.state && before.check.title === line.title;
    if (before?.own === true && stands) return;
    const { name: context, state, title: description, detailsUrl } = line;
    const leadsTo = detailsUrl === undefined ? {} : { target_url: detailsUrl };
    await client.send("POST", `statuses/${check.headSha}`, { context, state, description, ...leadsTo });
  }

  return {
    postCheck: async (check) => {
      const doing = `posting ${check.name} on ${check.headSha.slice(0, 12)}`;
      await client.call(doing, async () => post(check, doing));
    },
    findChecks: async (sha) => {
      const doing = `reading the checks of ${sha.slice(0, 12)}`;
      const show = ({ check, by, own }: PostedStatus): PostedCheck => ({ ...check, by, own, form: "status" });
      return client.call(doing, async () => (await read(sha, doing)).map(show));
    },
  };
}
