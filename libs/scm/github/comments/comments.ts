import { z } from "zod";

import type { OwnPosts } from "./own-posts.ts";
import type { Comment, Scm } from "../../port/port.ts";
import { placeMarker } from "../../port/place-marker.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import { readPages } from "../pull-requests/read-pages.ts";
import { readStatus } from "../../http/classify.ts";
import { createUnseenWrites } from "../calls/unseen-writes.ts";
import { once, type Wire } from "../calls/wire.ts";

const comment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  performed_via_github_app: z.unknown().optional(),
  created_at: z.string(),
});

/** Comments of a pull request; GitHub stores them as comments of an issue. */
export function createComments(wire: Wire, own: OwnPosts): Pick<Scm, "comments" | "putComment"> {
  const { octokit, call, here } = wire;
  const unseen = createUnseenWrites<{ readonly id: number; readonly body: string }>();

  async function list(number: number, doing: string): Promise<readonly Comment[]> {
    const query = { ...here, issue_number: number };
    const answers = await readPages(doing, async (page) => octokit.rest.issues.listComments({ ...query, ...page }));
    const isOurs = await own.read();
    return parseAnswer(z.array(comment), answers, doing).map((answer) => {
      const { id, body, user, created_at: at } = answer;
      const found = { id, author: user?.login ?? "ghost", body: body ?? "", at: Date.parse(at) };
      return isOurs(`comment ${id}`, answer) ? { ...found, ours: true } : found;
    });
  }

  /** False where it is gone: `mayLack` for a comment that no list has shown. */
  async function edit(id: number, body: string, mayLack: boolean): Promise<boolean> {
    try {
      await octokit.rest.issues.updateComment({ ...here, comment_id: id, body });
      return true;
    } catch (error) {
      if (mayLack && readStatus(error)?.status === 404) return false;
      throw error;
    }
  }

  async function put(number: number, marker: string, text: string, doing: string): Promise<void> {
    const body = placeMarker(marker, text);
    const key = `${number} ${marker}`;
    const listed = await list(number, doing);
    const shown = listed.find((entry) => entry.ours === true && entry.body.startsWith(marker));
    const before = shown ?? unseen.find(key, ({ id }) => listed.some((entry) => entry.id === id));
    if (before?.body === body) return;
    if (before === undefined || !(await edit(before.id, body, before !== shown))) {
      const { data } = await octokit.rest.issues.createComment({ ...here, issue_number: number, body, ...once });
      own.note(`comment ${Number(data.id)}`);
      unseen.note(key, { id: Number(data.id), body });
    } else if (before !== shown) unseen.note(key, { id: before.id, body });
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
  };
}
