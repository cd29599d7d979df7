import { type ApiAnswer, type ApiCall, type Send, ServerUnreachable } from "./api-call.ts";
import type { Connection } from "./connection.ts";
import type { RequestGate } from "./request-gate.ts";

/** Whether an answer is the API server's own to a request that a decision depends on. */
function isHeeded({ isEvent, isCause, isPassedOn }: ApiCall): boolean {
  return isEvent !== true && isCause !== true && isPassedOn !== true;
}

function heed(gate: RequestGate, { status, retryAfterMs }: ApiAnswer): void {
  if (status === 429 && retryAfterMs !== undefined) gate.quieten(retryAfterMs);
}

/** Ms after which the request may be tried again; 0 = now. */
async function admit(gate: RequestGate, { method, isEvent, isCause }: ApiCall): Promise<number> {
  if (isCause === true) return gate.admitCause();
  if (method === "GET") return 0;
  return isEvent === true ? gate.admitEvent() : gate.admitWrite();
}

/**
 * Sends writes, and reads of causes, at the cluster's rates. One that would wait long is answered with 429 and the time to wait, as
 * the server would.
 */
export function gateWrites(gate: RequestGate, send: Send): Send {
  return async (call) => {
    const waitMs = await admit(gate, call);
    if (waitMs > 0) {
      const message = "not sent: this API server gets no more requests from us for now";
      return { status: 429, body: { message }, retryAfterMs: waitMs };
    }
    const answer = await send(call);
    if (isHeeded(call)) heed(gate, answer);
    return answer;
  };
}

/** Sends lists at the cluster's rate. Watches are not limited: there is one per collection. */
export function gateLists(gate: RequestGate, connection: Connection): Connection {
  return {
    ...connection,
    send: async (call, signal = new AbortController().signal) => {
      try {
        await gate.admitList(signal);
      } catch (error) {
        // The signal aborted while the request waited.
        throw new ServerUnreachable("the list was not asked for: asked to end", { cause: error });
      }
      const answer = await connection.send(call, signal);
      heed(gate, answer);
      return answer;
    },
    open: async (path, idleMs, signal) => {
      const stream = await connection.open(path, idleMs, signal);
      if ("status" in stream) heed(gate, stream);
      return stream;
    },
  };
}
