import { z } from "zod";

import type { IsOurs, OwnPosts } from "./own-posts.ts";
import type { Scm, Issue, IssueDraft } from "../../port/port.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import { readPages } from "../pull-requests/read-pages.ts";
import { once, type Wire } from "../calls/wire.ts";

type Issues = Pick<Scm, "listIssues" | "putIssue">;

const issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  performed_via_github_app: z.unknown().optional(),
  html_url: z.string(),
  /** Present where the entry is a pull request: GitHub lists them among issues. */
  pull_request: z.unknown().optional(),
});

function toIssue(answer: z.infer<typeof issue>, isOurs: IsOurs): Issue {
  const { number, title, body, user, html_url: url } = answer;
  // GitHub keeps line ends as the browser sent them.
  const text = (body ?? "").replaceAll("\r\n", "\n");
  const found = { number, title, body: text, author: user?.login ?? "ghost", url };
  return isOurs(`issue ${number}`, answer) ? { ...found, ours: true } : found;
}

/** Issues of the repository, for the dashboard. */
export function createIssues(wire: Wire, own: OwnPosts): Issues {
  const { octokit, call, here } = wire;

  async function list(label: string, doing: string): Promise<readonly Issue[]> {
    const query = { ...here, labels: label, state: "open", sort: "created", direction: "asc" } as const;
    const answers = await readPages(doing, async (page) => octokit.rest.issues.listForRepo({ ...query, ...page }));
    const found = parseAnswer(z.array(issue), answers, doing);
    const isOurs = await own.read();
    return found.filter((each) => each.pull_request === undefined).map((each) => toIssue(each, isOurs));
  }

  async function put(marker: string, { title, body, label }: IssueDraft, doing: string): Promise<number> {
    const before = (await list(label, doing)).find((each) => each.ours === true && each.body.startsWith(marker));
    if (before === undefined) {
      const { data } = await octokit.rest.issues.create({ ...here, title, body, labels: [label], ...once });
      own.note(`issue ${data.number}`);
      return data.number;
    }
    if (before.body !== body) await octokit.rest.issues.update({ ...here, issue_number: before.number, body });
    return before.number;
  }

  return {
    listIssues: async (label) => {
      const doing = `listing the issues labelled ${label}`;
      return call(doing, async () => list(label, doing));
    },
    putIssue: async (marker, draft) => {
      const doing = `writing the issue ${draft.title}`;
      return call(doing, async () => put(marker, draft, doing));
    },
  };
}
