import { errors } from "@nats-io/transport-node";

/** What is read of a message of the stream. */
export interface Kept {
  readonly subject: string;
  readonly seq: number;
  /** How many come after it. */
  readonly info: { readonly pending: number };
  string(): string;
}

/**
 * Fetches until the message `lastSeq`, or until none is left when that one is gone. A slow server brings a part each
 * time; a time with nothing at all throws `TimeoutError`: less would be taken for all, and it is the newest that are late.
 */
export async function readThrough<T extends Kept>(
  fetch: () => Promise<AsyncIterable<T>>,
  lastSeq: number,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (;;) {
    const before = found.length;
    for await (const message of await fetch()) {
      found.push(message);
      // What is published from here on is for the listeners.
      if (message.seq >= lastSeq || message.info.pending === 0) return found;
    }
    if (found.length === before) throw new errors.TimeoutError();
  }
}
