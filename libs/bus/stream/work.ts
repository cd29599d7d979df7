import { systemClock } from "#libs/runtime";
import {
  AckPolicy,
  type Consumer,
  type ConsumerInfo,
  DeliverPolicy,
  JetStreamApiError,
  type JsMsg,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";

import { readMessage } from "../errors.ts";
import type { Link, Session } from "../connection/link.ts";
import type { BusNames } from "../names.ts";
import type { Delivery, WorkOutcome } from "../port.ts";
import { ensureStream } from "./stream.ts";

const clock = systemClock();

/** Real ms after which a message whose consumer is gone is given to another one. */
const holdMs = 6_000;
/** Real ms between two signs of life. */
const signMs = 2_000;
/** Real ms of one wait for a message; then the consumer's existence is checked. */
const waitMs = 3_000;
const retryMs = 250;
/** Real ms: a new name gets messages from shortly before, not a week of history. */
const newNameReachMs = 10 * 60_000;
const consumerNotFound = 10014;

export interface Work {
  readonly names: BusNames;
  readonly name: string;
  readonly pattern: string;
  readonly handle: (delivery: Delivery) => Promise<WorkOutcome>;
}

/** The consumer shared by all processes of this name; created when it is absent. */
async function ensureConsumer({ jsm }: Session, { names, name, pattern }: Work): Promise<ConsumerInfo> {
  try {
    return await jsm.consumers.info(names.stream, name);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== consumerNotFound) throw error;
  }
  return jsm.consumers.add(names.stream, {
    durable_name: name,
    filter_subject: names.toPublished(pattern),
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(holdMs),
    // One message at a time for all processes together: it keeps the order, and no two do the same work.
    max_ack_pending: 1,
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: new Date(Date.now() - newNameReachMs).toISOString(),
  });
}

/** Sends signs of life until `carried` aborts; returns whether the server still counts the message as ours. */
function renewHold(message: JsMsg, carried: AbortSignal): () => boolean {
  let signedAt = clock.monotonic();
  const renew = async (): Promise<void> => {
    for (;;) {
      await clock.sleepReal(signMs, carried);
      // After a freeze another consumer has the message, so no sign of life may be sent.
      if (clock.monotonic() - signedAt > holdMs) return;
      message.working();
      signedAt = clock.monotonic();
    }
  };
  renew().catch(() => undefined);
  return () => clock.monotonic() - signedAt < holdMs - 1_000;
}

async function carryOut(message: JsMsg, isMine: boolean, { names, handle }: Work): Promise<void> {
  const carried = new AbortController();
  const isHeld = renewHold(message, carried.signal);
  try {
    const outcome = await handle({
      subject: names.toSubject(message.subject),
      body: message.string(),
      ageMs: Math.max(0, Date.now() - message.time.getTime()),
      tries: message.info.deliveryCount,
      isMine,
      isHeld,
    });
    carried.abort();
    if (outcome === "done") await message.ackAck();
    else message.nak(outcome.againAfterMs);
  } finally {
    carried.abort();
  }
}

/** The next message; undefined when none came within `waitMs`, or at the end. */
async function waitForNext(consumer: Consumer, stop: AbortSignal): Promise<JsMsg | undefined> {
  const messages = await consumer.fetch({ max_messages: 1, expires: waitMs });
  // Messages that the server still sends for this request are delivered again after `holdMs`.
  const end = () => messages.stop();
  stop.addEventListener("abort", end, { once: true });
  try {
    for await (const message of messages) return message;
    return undefined;
  } finally {
    stop.removeEventListener("abort", end);
  }
}

/** Takes messages until the connection or the consumer is lost. */
async function takeAll(link: Link, session: Session, work: Work, stop: AbortSignal): Promise<void> {
  await ensureStream(link, session, work.names);
  await ensureConsumer(session, work);
  const consumer = await session.js.consumers.get(work.names.stream, work.name);
  let last = Number.NaN;
  while (!stop.aborted) {
    const message = await waitForNext(consumer, stop);
    if (message === undefined) {
      // A wiped stream is not reported; asking for the consumer shows it.
      if (link.isConnected() && !stop.aborted) await consumer.info();
      continue;
    }
    if (stop.aborted) return message.nak();
    const { deliveryCount, deliverySequence } = message.info;
    const isMine = deliveryCount === 1 && deliverySequence === last + 1;
    last = deliverySequence;
    await carryOut(message, isMine, work);
  }
}

/** Works until `signal` aborts or the link is closed, through outages and wipes. */
export function work(link: Link, job: Work, signal: AbortSignal): Promise<void> {
  const stop = AbortSignal.any([signal, link.closing]);
  const takeAlways = async (): Promise<void> => {
    while (!stop.aborted) {
      try {
        await takeAll(link, await link.open(Number.MAX_SAFE_INTEGER, stop), job, stop);
      } catch (error) {
        if (!stop.aborted) link.reportFault(`the work of ${job.name} goes on after: ${readMessage(error)}`);
        await clock.sleepReal(retryMs, stop).catch(() => undefined);
      }
    }
  };
  return takeAlways();
}
