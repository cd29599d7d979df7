import { errors } from "@nats-io/transport-node";

/** The part of a stored message that is used. */
export interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  /** The number of messages after it. */
  readonly info: { readonly pending: number };
  string(): string;
}

/**
 * Fetches up to message `lastSeq`, or until none is left when that one is gone. A slow server sends parts; a time without any
 * throws `TimeoutError`, because a part must not be taken for all.
 */
export async function readThrough<T extends StoredMessage>(
  fetch: () => Promise<AsyncIterable<T>>,
  lastSeq: number,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (;;) {
    const before = found.length;
    for await (const message of await fetch()) {
      found.push(message);
      // Later messages are left to the listeners.
      if (message.seq >= lastSeq || message.info.pending === 0) return found;
    }
    if (found.length === before) throw new errors.TimeoutError();
  }
}
