import { z } from "zod";

import { type EditFact, readEdits } from "./comment-edits.ts";
import type { IsOurs, OwnWords } from "./own-words.ts";
import type { Scm, NewComment } from "../../port/port.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import { readPages } from "../pull-requests/read-pages.ts";
import type { Wire } from "../calls/wire.ts";

const comment = z.object({
  id: z.int(),
  node_id: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  performed_via_github_app: z.unknown().optional(),
  issue_url: z.string(),
  author_association: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** An app that writes in a person's name is still a machine: no person typed that. */
function isBot({ user, performed_via_github_app: app }: z.infer<typeof comment>): boolean {
  return user?.type === "Bot" || (app ?? null) !== null;
}

const members: ReadonlySet<string | undefined> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

/** What may be a command: whether it was edited matters, also within the second of its writing. */
const command = /\/meshroll/iu;

/** By its times, which are of whole seconds, it was never edited, and it may be obeyed. */
function needsAsking(answer: z.infer<typeof comment>): boolean {
  return answer.created_at === answer.updated_at && command.test(answer.body ?? "") && !isBot(answer);
}

function describeEdit(fact: EditFact | undefined, at: number, editedAt: number) {
  if (fact === "unknown") return { editedAt, isEditUnknown: true } as const;
  return { editedAt: fact === "edited" ? Math.max(editedAt, at + 1) : editedAt };
}

function toNew(answer: z.infer<typeof comment>, isOurs: IsOurs, fact: EditFact | undefined): NewComment {
  const { id, body, user, issue_url: url, created_at: at, updated_at: editedAt } = answer;
  return {
    id,
    number: Number(/\/issues\/(\d+)$/.exec(url)?.[1] ?? 0),
    author: user?.login ?? "ghost",
    body: body ?? "",
    at: Date.parse(at),
    ...describeEdit(fact, Date.parse(at), Date.parse(editedAt)),
    ...(isBot(answer) ? { bot: true } : {}),
    ...(members.has(answer.author_association) ? { isMember: true } : {}),
    ...(isOurs(`comment ${id}`, answer) ? { ours: true } : {}),
  };
}

/** What people write on issues and pull requests, read for the whole repository with one request. */
export function createCommentReader(wire: Wire, own: OwnWords): Pick<Scm, "recentComments"> {
  const { octokit, call, here } = wire;

  async function list(since: number, doing: string): Promise<readonly NewComment[]> {
    const query = { ...here, sort: "updated", direction: "asc", since: new Date(since).toISOString() } as const;
    const answers = await readPages(doing, async (page) =>
      octokit.rest.issues.listCommentsForRepo({ ...query, ...page }),
    );
    const isOurs = await own.read();
    const comments = parseAnswer(z.array(comment), answers, doing);
    const asked = comments.filter((each) => needsAsking(each) && !isOurs(`comment ${each.id}`, each));
    const ids = asked.map((each) => each.node_id);
    const edits = ids.length === 0 ? new Map<string, EditFact>() : await readEdits(wire, ids, doing);
    return comments.map((each) => toNew(each, isOurs, edits.get(each.node_id)));
  }

  return {
    recentComments: async (since) => {
      const doing = "reading new comments";
      return call(doing, async () => list(since, doing));
    },
  };
}
