import { JetStreamApiError } from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";

import { type BusNames, checkSize } from "../names.ts";
import type { Link, Session } from "../connection/link.ts";
import { retryCall } from "../connection/retry-call.ts";

const dayMs = 24 * 3600 * 1000;
const streamNotFound = 10059;
/** The limit of one type, so that a login that floods its type leaves room for others. */
const mostOfType = 150_000;

/**
 * Creates the stream when it is absent. An existing one keeps its operator's settings, except those that listeners need, and
 * those that stop one message or one login from emptying or filling it.
 */
export async function ensureStream(link: Link, session: Session, names: BusNames): Promise<void> {
  const republish = { src: names.published, dest: names.republished };
  const { jsm } = session;
  try {
    const { config } = await jsm.streams.info(names.stream);
    const isBounded = config.max_msgs_per_subject > 0 && !config.allow_rollup_hdrs;
    if (config.republish?.dest === names.republished && isBounded) return;
    const max_msgs_per_subject = isBounded ? config.max_msgs_per_subject : mostOfType;
    await link.make("stream that repeats what it keeps", session, async () =>
      jsm.streams.update(names.stream, { republish, allow_rollup_hdrs: false, max_msgs_per_subject }),
    );
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== streamNotFound) throw error;
    await link.make("stream of messages", session, async () =>
      jsm.streams.add({
        name: names.stream,
        subjects: [names.published],
        max_age: nanos(7 * dayMs),
        // A limit in bytes would be reserved on the disk at once, and refused where that is small.
        max_msgs: 1_000_000,
        max_msgs_per_subject: mostOfType,
        republish,
        allow_rollup_hdrs: false,
      }),
    );
  }
}

/** Publishes events into the stream; one whose answer was lost may be stored twice. */
export function createPublisher(link: Link, names: BusNames): (subject: string, body: string) => Promise<void> {
  let ensured: Session | undefined;
  return async (subject, body) => {
    checkSize(`a message ${subject}`, body);
    await retryCall(link, { what: `a message ${subject}`, isRepeatable: true }, async (session) => {
      if (ensured !== session) await ensureStream(link, session, names);
      // Cleared until the stream was checked: with a subscriber on the subject a publish succeeds although no stream stored
      // the message.
      ensured = undefined;
      await session.js.publish(names.toPublished(subject), body);
      ensured = session;
    });
  };
}
