import { z } from "zod";

import type { IsOurs, OwnPosts } from "./own-posts.ts";
import type { Scm, NewComment } from "../../port/port.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import { readPages } from "../pull-requests/read-pages.ts";
import type { Wire } from "../calls/wire.ts";

const comment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  performed_via_github_app: z.unknown().optional(),
  issue_url: z.string(),
  author_association: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** An app may write in a person's name; the text is still not typed by a person. */
function isBot({ user, performed_via_github_app: app }: z.infer<typeof comment>): boolean {
  return user?.type === "Bot" || (app ?? null) !== null;
}

const members: ReadonlySet<string | undefined> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

function toNew(answer: z.infer<typeof comment>, isOurs: IsOurs): NewComment {
  const { id, body, user, issue_url: url, created_at: at, updated_at: editedAt } = answer;
  return {
    id,
    number: Number(/\/issues\/(\d+)$/.exec(url)?.[1] ?? 0),
    author: user?.login ?? "ghost",
    body: body ?? "",
    at: Date.parse(at),
    editedAt: Date.parse(editedAt),
    ...(isBot(answer) ? { bot: true } : {}),
    ...(members.has(answer.author_association) ? { isMember: true } : {}),
    ...(isOurs(`comment ${id}`, answer) ? { ours: true } : {}),
  };
}

/** GitHub describes times in whole seconds, and so are those of comments. */
function printSeconds(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/u, "Z");
}

/** New comments on issues and pull requests of the whole repository, in one list. */
export function createCommentReader({ octokit, call, here }: Wire, own: OwnPosts): Pick<Scm, "recentComments"> {
  async function list(since: number, doing: string): Promise<readonly NewComment[]> {
    const query = { ...here, sort: "updated", direction: "asc", since: printSeconds(since) } as const;
    const answers = await readPages(doing, async (page) =>
      octokit.rest.issues.listCommentsForRepo({ ...query, ...page }),
    );
    const isOurs = await own.read();
    return parseAnswer(z.array(comment), answers, doing).map((each) => toNew(each, isOurs));
  }

  return {
    recentComments: async (since) => {
      const doing = "reading new comments";
      return call(doing, async () => list(since, doing));
    },
  };
}
