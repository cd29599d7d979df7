import { DeliverPolicy, JetStreamApiError, type JsMsg } from "@nats-io/jetstream";

import type { Session } from "./link.ts";
import type { Entry, KeyWatcher } from "./port.ts";

const streamNotFound = 10059;

function readEntry(message: JsMsg, prefix: string): Entry {
  const key = message.subject.slice(prefix.length);
  const isGone = (message.headers?.get("KV-Operation") ?? "") !== "";
  return isGone ? { key, revision: message.seq } : { key, value: message.string(), revision: message.seq };
}

/** What a watcher throws is a bug and ends the process: inside the client it would only end the watch, without a word. */
function guard(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/**
 * Resets the watcher, reads the keys that are there, says that it is ready, then reads each change, until `round` aborts;
 * aborts it when the client gives up. The consumer is ordered: it finds out by itself when a message is missing.
 */
export async function followBucket(
  { js }: Session,
  bucket: string,
  pattern: string,
  watcher: KeyWatcher,
  round: AbortController,
): Promise<void> {
  const prefix = `$KV.${bucket}.`;
  const settings = { deliver_policy: DeliverPolicy.LastPerSubject, filter_subjects: prefix + pattern };
  const consumer = await js.consumers.getPushConsumer(`KV_${bucket}`, settings);
  if (round.signal.aborted) return;
  guard(() => watcher.onReset());
  let isReady = (await consumer.info(true)).num_pending === 0;
  if (isReady) guard(() => watcher.onReady());
  const messages = await consumer.consume({
    callback(message) {
      if (round.signal.aborted) return;
      const entry = readEntry(message, prefix);
      // Before `onReady` only what exists is told.
      if (isReady || entry.value !== undefined) guard(() => watcher.onEntry(entry));
      if (isReady || message.info.pending > 0) return;
      isReady = true;
      guard(() => watcher.onReady());
    },
  });
  round.signal.addEventListener("abort", () => void messages.close(), { once: true });
  void messages.closed().then(() => round.abort());
}

/** What tells a bucket from the one that stood there before. */
export interface Identity {
  readonly created: string;
  readonly isEmpty: boolean;
}

/** Which bucket it is now; undefined when there is none. */
export async function identify({ jsm }: Session, bucket: string): Promise<Identity | undefined> {
  try {
    const { created, state } = await jsm.streams.info(`KV_${bucket}`);
    return { created, isEmpty: state.messages === 0 };
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === streamNotFound) return undefined;
    throw error;
  }
}

/** True when it was deleted, made anew, or emptied by hand: a deleted key leaves a mark, so no bucket gets empty by itself. */
export function isOther(before: Identity | undefined, now: Identity | undefined): boolean {
  return now === undefined || now.created !== before?.created || (now.isEmpty && !before.isEmpty);
}
