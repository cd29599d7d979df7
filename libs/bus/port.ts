import type { BusTrouble } from "./troubles.ts";

/** One change of a key. `value` is absent when the key was deleted. */
export interface Entry {
  readonly key: string;
  readonly value?: string;
  /** Grows with each change in the bucket, for compare-and-swap. */
  readonly revision: number;
}

/**
 * A KV bucket of the bus. Its content can be derived again: it may be wiped at any moment, and the next call creates it again.
 * Keys are letters, digits, - _ = / and dots inside, at most 255; values are below 1 MiB; else `BusRefused`.
 */
export interface KeyValue {
  /** Undefined when the key does not exist or was deleted. */
  get(key: string): Promise<Entry | undefined>;
  /**
   * Without `expected` it overwrites; with it only if the key is still at that revision (0: it must not exist). False: another
   * writer was first.
   */
  put(key: string, value: string, expected?: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Removes every key under `pattern` last written before that revision, and markers of deleted ones; watches are not told. */
  sweep(pattern: string, before: number): Promise<void>;
  /** Names of the keys under `pattern`, including deleted ones that were not swept; one request. */
  keys(pattern: string): Promise<ReadonlySet<string>>;
  /**
   * Calls `onEntry` for every existing key, then `onReady` once, then `onEntry` for each change, until `signal` aborts. After a
   * reconnect, or when the bucket was wiped and created again (noticed within seconds), it calls `onReset`, then all keys, then
   * `onReady` again. A purge of keys in an existing bucket is not reported: owners compare with `keys`. Resolves at the first
   * `onReady`, or after 2 s without a server; the watch goes on in both cases. Keys that are not ours (other clients may write
   * them) and entries that `onEntry` throws at are logged and skipped.
   */
  watch(pattern: string, watcher: KeyWatcher, signal: AbortSignal): Promise<void>;
}

export interface KeyWatcher {
  onEntry(entry: Entry): void;
  onReady(): void;
  onReset(): void;
}

/** One message of the stream. */
export interface Message {
  readonly subject: string;
  readonly body: string;
}

/** One message of the stream, given to one process. */
export interface Delivery {
  readonly subject: string;
  readonly body: string;
  /** Real ms since it was stored. */
  readonly ageMs: number;
  /** 1 at first; more when it was given back, or its holder died or was frozen. */
  readonly tries: number;
  /** True when this process also got the previous message, so that no other consumer did anything in between. */
  readonly isMine: boolean;
  /** False once another consumer may have the message, after a freeze: the handler must do nothing more for it. */
  isHeld(): boolean;
}

/** `done`: finished. Else it is delivered again after so many real ms, before all later messages. */
export type WorkOutcome = "done" | { readonly againAfterMs: number };

/**
 * The bus of one installation; it neither sees nor reaches others on the same server. It wakes and informs; nothing is decided
 * by it alone. Throws `BusUnavailable` when it does not answer within 5 s (also for a conditional `put` whose answer was lost),
 * `BusRefused` when it refuses.
 */
export interface Bus {
  /**
   * Publishes to the installation's stream, subject `meshroll.v1.<type>`. A repeated message is stored twice: with the server's
   * deduplication any login that may publish could use up an id.
   */
  publish(subject: string, body: string): Promise<void>;
  /**
   * New messages from now on (wake-ups, the demo's picture); one may come twice. Resolves when the server has the subscription.
   * `onBack` is called after each outage, in which messages were missed.
   */
  listen(
    pattern: string,
    onMessage: (subject: string, body: string) => void,
    signal: AbortSignal,
    onBack?: () => void,
  ): Promise<void>;
  /** The last `limit` messages of the stream, oldest first. */
  recent(limit: number): Promise<readonly Message[]>;
  /**
   * Handles every message under `pattern`. All processes with the same `name` share them: in the stream's order, one at a time
   * for all together, and again when its holder died (within seconds), failed or asked for it. The bus remembers the progress
   * over restarts; a new name begins ten minutes ago. Resolves after `signal` aborts and the message in hand is handled.
   */
  work(
    name: string,
    pattern: string,
    handle: (delivery: Delivery) => Promise<WorkOutcome>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Creates the bucket when it is absent. */
  bucket(name: "control" | "status" | "inventory" | "vms"): KeyValue;
  isConnected(): boolean;
  /** A trouble of this process that a person must end: a refused login, a missing right, no room. */
  trouble(): BusTrouble | undefined;
  /** Ends all watches and listeners. */
  close(): Promise<void>;
}
