import { z } from "zod";

import { readStatus } from "../http/classify.ts";
import { parseAnswer } from "../http/parse-answer.ts";
import { placeMarker } from "../port/place-marker.ts";
import type { Comment, NewComment, Scm } from "../port/port.ts";
import type { GiteaClient } from "./client.ts";
import { toLogin } from "./pull-request.ts";

type Comments = Pick<Scm, "comments" | "putComment" | "recentComments">;

const comment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  issue_url: z.string().nullish(),
  pull_request_url: z.string().nullish(),
  created_at: z.iso.datetime({ offset: true }),
  updated_at: z.iso.datetime({ offset: true }),
});

type Read = z.infer<typeof comment>;

function toComment(read: Read, login: string): Comment {
  const author = toLogin(read.user) ?? "ghost";
  const found = { id: read.id, author, body: read.body ?? "", at: Date.parse(read.created_at) };
  return author === login ? { ...found, ours: true } : found;
}

/** Gitea fills one of the two addresses: the comment is on an issue or on a pull request. */
function readNumber({ issue_url: issue, pull_request_url: pull }: Read): number {
  return Number(/\/(?:issues|pulls)\/(\d+)$/u.exec(`${pull ?? ""}${issue ?? ""}`)?.[1] ?? 0);
}

function toNew(read: Read, login: string): NewComment {
  return {
    ...toComment(read, login),
    number: readNumber(read),
    editedAt: Date.parse(read.updated_at),
    // Gitea does not say who is a member, so all count as members; their permissions are checked separately.
    isMember: true,
  };
}

/** Comments on issues and pull requests. */
export function createComments(client: GiteaClient, askLogin: () => Promise<string>): Comments {
  const { call } = client;

  /** For an unknown number Gitea answers 500. Reading the issue then throws 404 instead. */
  async function readOf(number: number): Promise<unknown> {
    try {
      return await client.get(`issues/${number}/comments`);
    } catch (error) {
      if (readStatus(error)?.status === 500) await client.get(`issues/${number}`);
      throw error;
    }
  }

  async function list(number: number, doing: string): Promise<readonly Comment[]> {
    const answers = await readOf(number);
    const login = await askLogin();
    return parseAnswer(z.array(comment), answers, doing).map((read) => toComment(read, login));
  }

  async function put(number: number, marker: string, text: string, doing: string): Promise<void> {
    const body = placeMarker(marker, text);
    const before = (await list(number, doing)).find((each) => each.ours === true && each.body.startsWith(marker));
    if (before?.body === body) return;
    if (before === undefined) await client.send("POST", `issues/${number}/comments`, { body });
    else await client.send("PATCH", `issues/comments/${before.id}`, { body });
  }

  async function listNew(since: number, doing: string): Promise<readonly NewComment[]> {
    const answers = await client.list("issues/comments", doing, { since: new Date(since).toISOString() });
    const login = await askLogin();
    const found = parseAnswer(z.array(comment), answers, doing).map((read) => toNew(read, login));
    return found.toSorted((a, b) => a.editedAt - b.editedAt || a.id - b.id);
  }

  return {
    comments: async (number) => {
      const doing = `reading the comments of ${number}`;
      return call(doing, async () => list(number, doing));
    },
    putComment: async (number, marker, body) => {
      const doing = `writing our comment on ${number}`;
      await call(doing, async () => put(number, marker, body, doing));
    },
    recentComments: async (since) => call("reading new comments", async () => listNew(since, "reading new comments")),
  };
}
