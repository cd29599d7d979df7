import { z } from "zod";

import { readStatus } from "./classify.ts";
import { createOwnWords, type IsOurs } from "./own-words.ts";
import type { Forge, NewComment } from "./port.ts";
import { parseAnswer } from "./pull-request.ts";
import { readPages } from "./read-pages.ts";
import type { Wire } from "./wire.ts";

const comment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  performed_via_github_app: z.unknown().optional(),
  issue_url: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** An app that writes in a person's name is still a machine: no person typed that. */
function isBot({ user, performed_via_github_app: app }: z.infer<typeof comment>): boolean {
  return user?.type === "Bot" || (app ?? null) !== null;
}

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
    ...(isOurs(answer) ? { ours: true } : {}),
  };
}

/** What people write on issues and pull requests, read for the whole repository with one request. */
export function createCommentReader(wire: Wire): Pick<Forge, "recentComments" | "react"> {
  const { octokit, call, here } = wire;
  const readOwn = createOwnWords(wire);

  async function list(since: number, doing: string): Promise<readonly NewComment[]> {
    const query = { ...here, sort: "updated", direction: "asc", since: new Date(since).toISOString() } as const;
    const answers = await readPages(doing, async (page) =>
      octokit.rest.issues.listCommentsForRepo({ ...query, ...page }),
    );
    const isOurs = await readOwn();
    return parseAnswer(z.array(comment), answers, doing).map((each) => toNew(each, isOurs));
  }

  return {
    recentComments: async (since) => {
      const doing = "reading new comments";
      return call(doing, async () => list(since, doing));
    },
    react: async (id, content) => {
      await call(`reacting to comment ${id}`, async () => {
        try {
          await octokit.rest.reactions.createForIssueComment({ ...here, comment_id: id, content });
        } catch (error) {
          // Somebody deleted it: there is nothing left to answer.
          if (readStatus(error)?.status !== 404) throw error;
        }
      });
    },
  };
}
