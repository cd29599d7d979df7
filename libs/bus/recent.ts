import { DeliverPolicy, JetStreamApiError, type StreamState } from "@nats-io/jetstream";

import type { Link, Session } from "./link.ts";
import { streamName } from "./names.ts";
import { persist } from "./persist.ts";
import type { Message } from "./port.ts";

const streamNotFound = 10059;
/** Real ms that the server may take for all of it; what has not come by then is left out. */
const readLimitMs = 2_000;

/** Undefined while nobody has published anything. */
async function describeStream({ jsm }: Session): Promise<StreamState | undefined> {
  try {
    return (await jsm.streams.info(streamName)).state;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === streamNotFound) return undefined;
    throw error;
  }
}

async function readLast(session: Session, limit: number): Promise<readonly Message[]> {
  const state = await describeStream(session);
  if (state === undefined || state.messages === 0) return [];
  const opt_start_seq = Math.max(state.first_seq, state.last_seq - limit + 1);
  const consumer = await session.js.consumers.get(streamName, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq,
  });
  const found: Message[] = [];
  for await (const message of await consumer.fetch({ max_messages: limit, expires: readLimitMs })) {
    found.push({ subject: message.subject, body: message.string() });
    // What is published from here on is for whoever listens.
    if (message.seq >= state.last_seq) break;
  }
  return found;
}

/** The last messages of the stream, oldest first. */
export async function readRecent(link: Link, limit: number): Promise<readonly Message[]> {
  return persist(link, { what: "the last messages", isRepeatable: true }, async (session) => readLast(session, limit));
}
