import { z } from "zod";

import { readBanMs, readStatus } from "../../http/classify.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import type { Wire } from "../calls/wire.ts";

/** As GitHub shows who wrote something. */
export interface Author {
  readonly user?: { readonly login: string; readonly type?: string | undefined } | null | undefined;
}

/** A comment by its id, an issue by its number. */
export type Written = `comment ${number}` | `issue ${number}`;

/** Whether this token wrote it: by what GitHub says of the author, never by what stands in the text. */
export type IsOurs = (written: Written, author: Author) => boolean;

/** What this token wrote, as far as it can be told. */
export interface OwnWords {
  read(): Promise<IsOurs>;
  /** This process has just written it. */
  note(written: Written): void;
}

const user = z.object({ login: z.string() });

function isSame(login: string, other: string | undefined): boolean {
  return login.toLowerCase() === other?.toLowerCase();
}

/**
 * Finds out once who this token is. An app's token may not ask `GET /user`: GraphQL tells it the app's own login, which ends with
 * `[bot]` as no person's does. Where that is not told either, only what this process wrote itself is ours: another app's text may
 * carry our marker.
 */
export function createOwnWords(
  { octokit, call }: Pick<Wire, "octokit" | "call">,
  askViewer: () => Promise<string | undefined>,
): OwnWords {
  const written = new Set<Written>();
  let known: string | undefined;

  async function readUser(doing: string): Promise<string | undefined> {
    try {
      return parseAnswer(user, (await octokit.rest.users.getAuthenticated()).data, doing).login;
    } catch (error) {
      if (readStatus(error)?.status === 403 && readBanMs(error, 0) === undefined) return undefined;
      throw error;
    }
  }

  return {
    note: (id) => void written.add(id),
    read: async () => {
      const doing = "asking who we are";
      known ??= (await call(doing, async () => readUser(doing))) ?? (await askViewer());
      const login = known;
      if (login === undefined) return (id) => written.has(id);
      return (id, author) => written.has(id) || isSame(login, author.user?.login);
    },
  };
}
