import type { Call } from "../../http/call.ts";
import type { Client } from "./create-octokit.ts";

/** What every part of the adapter needs: the client, how to call it, and the repository. */
export interface Wire {
  readonly octokit: Client;
  readonly call: Call;
  readonly here: { readonly owner: string; readonly repo: string };
}

/**
 * For writes that create something: no automatic retry. The request whose answer was lost may have worked, so a caller that
 * tries again must check first.
 */
export const once = { request: { retries: 0 } } as const;
