import type { Call } from "../../http/call.ts";
import type { Client } from "./create-octokit.ts";

/** What every part of the adapter needs: the client, how to call it, and which repository it speaks of. */
export interface Wire {
  readonly octokit: Client;
  readonly call: Call;
  readonly here: { readonly owner: string; readonly repo: string };
}

/**
 * For a write that makes something new: never sent twice by itself. The try whose answer was lost may have worked, so
 * a caller that tries again checks first.
 */
export const once = { request: { retries: 0 } } as const;
