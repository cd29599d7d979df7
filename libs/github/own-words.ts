import { z } from "zod";

import { readBanMs, readStatus } from "./classify.ts";
import { parseAnswer } from "./pull-request.ts";
import type { Wire } from "./wire.ts";

/** As GitHub shows who wrote something. */
export interface Author {
  readonly user?: { readonly login: string; readonly type?: string | undefined } | null | undefined;
  readonly performed_via_github_app?: unknown;
}

/** Whether this token wrote it: by what GitHub says of the author, never by what stands in the text. */
export type IsOurs = (author: Author) => boolean;

const user = z.object({ login: z.string() });

/**
 * Finds out once who this token is. An app's token may not ask: then what an app wrote counts as ours, for no person can write in
 * an app's name, and which apps there are the owner of the repository decides.
 */
export function createOwnWords({ octokit, call }: Pick<Wire, "octokit" | "call">): () => Promise<IsOurs> {
  let known: string | undefined | null = null;

  async function read(doing: string): Promise<string | undefined> {
    try {
      return parseAnswer(user, (await octokit.rest.users.getAuthenticated()).data, doing).login;
    } catch (error) {
      if (readStatus(error)?.status === 403 && readBanMs(error, 0) === undefined) return undefined;
      throw error;
    }
  }

  return async () => {
    const doing = "asking who we are";
    if (known === null) known = await call(doing, async () => read(doing));
    const login = known;
    if (login !== undefined) return (author) => author.user?.login.toLowerCase() === login.toLowerCase();
    return (author) => author.user?.type === "Bot" && (author.performed_via_github_app ?? null) !== null;
  };
}
