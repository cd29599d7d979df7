import { DeliverPolicy, JetStreamApiError, type StreamState } from "@nats-io/jetstream";

import type { Link, Session } from "../connection/link.ts";
import type { BusNames } from "../names.ts";
import { retryCall } from "../connection/retry-call.ts";
import type { Message } from "../port.ts";
import { readThrough } from "./read-through.ts";

const streamNotFound = 10059;
/** Real ms that the server may take for one part. */
const readLimitMs = 2_000;

/** Undefined while nothing is published. */
async function describeStream({ jsm }: Session, names: BusNames): Promise<StreamState | undefined> {
  try {
    return (await jsm.streams.info(names.stream)).state;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === streamNotFound) return undefined;
    throw error;
  }
}

async function readLast(session: Session, names: BusNames, limit: number): Promise<readonly Message[]> {
  const state = await describeStream(session, names);
  if (state === undefined || state.messages === 0) return [];
  const opt_start_seq = Math.max(state.first_seq, state.last_seq - limit + 1);
  const consumer = await session.js.consumers.get(names.stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq,
  });
  const fetch = async () => consumer.fetch({ max_messages: limit, expires: readLimitMs });
  const found = await readThrough(fetch, state.last_seq);
  return found.map((message) => ({ subject: names.toSubject(message.subject), body: message.string() }));
}

/** The last messages of the stream, oldest first. */
export async function readRecent(link: Link, names: BusNames, limit: number): Promise<readonly Message[]> {
  return retryCall(link, { what: "the last messages", isRepeatable: true }, async (session) =>
    readLast(session, names, limit),
  );
}
