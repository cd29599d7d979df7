import { systemClock } from "#libs/runtime";
import { DeliverPolicy, JetStreamApiError, type JsMsg, type PushConsumer } from "@nats-io/jetstream";

import type { Session } from "../connection/link.ts";
import { readMessage } from "../errors.ts";
import { isKey } from "../names.ts";
import type { Entry, KeyWatcher } from "../port.ts";

const clock = systemClock();

const streamNotFound = 10059;

function readEntry(message: JsMsg, prefix: string): Entry {
  const key = message.subject.slice(prefix.length);
  const isGone = (message.headers?.get("KV-Operation") ?? "") !== "";
  return isGone ? { key, revision: message.seq } : { key, value: message.string(), revision: message.seq };
}

/** An error in the watcher is a bug and ends the process; thrown inside the client it would end the watch silently. */
function guard(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Logs and skips a key that is not ours, or that the watcher throws at; the watch continues. */
function passEntry(watcher: KeyWatcher, entry: Entry, reportFault: (fault: string) => void): void {
  const named = JSON.stringify(entry.key.slice(0, 80));
  if (!isKey(entry.key)) return reportFault(`${named} is not a key of meshroll: it is left out`);
  try {
    watcher.onEntry(entry);
  } catch (error) {
    reportFault(`the key ${named} could not be taken: ${readMessage(error)}`);
  }
}

/** Real ms between two checks whether all keys have arrived. */
const checkEveryMs = 500;

/**
 * Resolves when the server has sent all present keys. Its count of pending messages is not reliable: a key that is replaced
 * meanwhile may stay in the count for ever.
 */
async function awaitQuiet(consumer: PushConsumer, received: () => number, round: AbortSignal): Promise<void> {
  let before = -1;
  for (;;) {
    await clock.sleepReal(checkEveryMs, round);
    // Answered on the same connection, so after everything sent before it.
    const { delivered } = await consumer.info();
    if (delivered.consumer_seq <= received() && received() === before) return;
    before = received();
  }
}

/**
 * Resets the watcher, reads the existing keys, reports that it is ready, then reads each change until `round` aborts; aborts it
 * when the client gives up. The consumer is ordered and detects missing messages.
 */
export async function followBucket(
  { js }: Session,
  bucket: string,
  pattern: string,
  watcher: KeyWatcher,
  round: AbortController,
  reportFault: (fault: string) => void,
): Promise<void> {
  const prefix = `$KV.${bucket}.`;
  const settings = { deliver_policy: DeliverPolicy.LastPerSubject, filter_subjects: prefix + pattern };
  const consumer = await js.consumers.getPushConsumer(`KV_${bucket}`, settings);
  if (round.signal.aborted) return;
  guard(() => watcher.onReset());
  let isReady = (await consumer.info(true)).num_pending === 0;
  let received = 0;
  if (isReady) guard(() => watcher.onReady());
  const becomeReady = (): void => {
    if (isReady || round.signal.aborted) return;
    isReady = true;
    guard(() => watcher.onReady());
  };
  const messages = await consumer.consume({
    callback(message) {
      if (round.signal.aborted) return;
      received = message.info.deliverySequence;
      const entry = readEntry(message, prefix);
      // Before `onReady` only existing keys are reported.
      if (isReady || entry.value !== undefined) passEntry(watcher, entry, reportFault);
      if (message.info.pending === 0) becomeReady();
    },
  });
  round.signal.addEventListener("abort", () => void messages.close(), { once: true });
  void messages.closed().then(() => round.abort());
  // A failed check is ignored: an outage ends the round, and otherwise messages still report `pending`.
  if (!isReady) awaitQuiet(consumer, () => received, round.signal).then(becomeReady, () => undefined);
}

/** Distinguishes a bucket from an earlier one of the same name. */
export interface Identity {
  readonly created: string;
  /** Keys are read by their own subjects, which rights can allow one by one. */
  readonly allowsDirect: boolean;
  /** The header `Nats-Rollup` of one message could remove all keys. */
  readonly allowsRollup: boolean;
}

/** The bucket's present identity; undefined when there is none. */
export async function identify({ jsm }: Session, bucket: string): Promise<Identity | undefined> {
  try {
    const { created, config } = await jsm.streams.info(`KV_${bucket}`);
    return { created, allowsDirect: config.allow_direct, allowsRollup: config.allow_rollup_hdrs };
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === streamNotFound) return undefined;
    throw error;
  }
}

/** Whether it was deleted or created again. Keys that were removed by hand are written again by their owners. */
export function isOther(before: Identity | undefined, now: Identity | undefined): boolean {
  return now === undefined || now.created !== before?.created;
}
