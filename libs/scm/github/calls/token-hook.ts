import type { Token, TokenSource } from "#libs/runtime";
import type { Octokit } from "@octokit/rest";

import { readStatus } from "../../http/classify.ts";

type Request = Octokit["request"];
type Hook = (request: Request, ...asked: Parameters<Request["endpoint"]["merge"]>) => Promise<unknown>;

/** Waits before a request with a refused token is sent again: GitHub's servers learn of a new token one after another. */
const waitsMs = [0, 1_000, 2_000] as const;

async function wait(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Fetches a token for each request. A request with a refused token (401) was not carried out and is sent again with the next
 * one.
 */
function createHook(source: TokenSource): Hook {
  return async (request, ...asked) => {
    const endpoint = request.endpoint.merge(...asked);
    let last: unknown;
    for (const ms of waitsMs) {
      await wait(ms);
      const token = await source.give();
      try {
        endpoint.headers.authorization = `token ${token}`;
        return await request(endpoint as Parameters<Request>[0] & object);
      } catch (error) {
        if (readStatus(error)?.status !== 401) throw error;
        source.drop(token);
        last = error;
      }
    }
    throw last;
  };
}

/** Octokit's options for a permanent token, or for a token source. */
export function chooseAuth(token: Token): { readonly auth?: string; readonly authStrategy?: () => { hook: Hook } } {
  return typeof token === "string" ? { auth: token } : { authStrategy: () => ({ hook: createHook(token) }) };
}
