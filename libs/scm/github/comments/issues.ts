import { z } from "zod";

import type { IsOurs, OwnPosts } from "./own-posts.ts";
import type { Scm, Issue, IssueDraft } from "../../port/port.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import { readPages } from "../pull-requests/read-pages.ts";
import { readStatus } from "../../http/classify.ts";
import { createUnseenWrites } from "../calls/unseen-writes.ts";
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

/** An issue as it was created. */
interface MadeIssue {
  readonly number: number;
  readonly body: string;
}

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
  const unseen = createUnseenWrites<MadeIssue>();

  async function list(label: string, doing: string): Promise<readonly Issue[]> {
    const query = { ...here, labels: label, state: "open", sort: "created", direction: "asc" } as const;
    const answers = await readPages(doing, async (page) => octokit.rest.issues.listForRepo({ ...query, ...page }));
    const found = parseAnswer(z.array(issue), answers, doing);
    const isOurs = await own.read();
    return found.filter((each) => each.pull_request === undefined).map((each) => toIssue(each, isOurs));
  }

  /** Undefined where there is none, or where this answer is too old to know it. */
  async function findState(number: number): Promise<string | undefined> {
    try {
      return (await octokit.rest.issues.get({ ...here, issue_number: number })).data.state;
    } catch (error) {
      if (readStatus(error)?.status === 404) return undefined;
      throw error;
    }
  }

  /** Our issue that no list has shown, unless a person closed it meanwhile: then another one is made. */
  async function findUnseen(key: string, listed: readonly Issue[]): Promise<MadeIssue | undefined> {
    const made = unseen.find(key, ({ number }) => listed.some((each) => each.number === number));
    return made !== undefined && (await findState(made.number)) !== "closed" ? made : undefined;
  }

  async function create({ title, body, label }: IssueDraft, key: string): Promise<number> {
    const { data } = await octokit.rest.issues.create({ ...here, title, body, labels: [label], ...once });
    own.note(`issue ${data.number}`);
    unseen.note(key, { number: data.number, body });
    return data.number;
  }

  async function put(marker: string, draft: IssueDraft, doing: string): Promise<number> {
    const { body, label } = draft;
    const key = `${label} ${marker}`;
    const listed = await list(label, doing);
    const shown = listed.find((each) => each.ours === true && each.body.startsWith(marker));
    const before = shown ?? (await findUnseen(key, listed));
    if (before === undefined) return create(draft, key);
    if (before.body === body) return before.number;
    try {
      await octokit.rest.issues.update({ ...here, issue_number: before.number, body });
    } catch (error) {
      // It was deleted before any list showed it.
      if (before === shown || readStatus(error)?.status !== 404) throw error;
      return create(draft, key);
    }
    if (before !== shown) unseen.note(key, { number: before.number, body });
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
