import type { BusTrouble } from "./troubles.ts";

/** One change of a key. `value` is absent when the key was deleted. */
export interface Entry {
  readonly key: string;
  readonly value?: string;
  /** Grows with each change in the bucket, for compare-and-swap. */
  readonly revision: number;
}

/**
 * A KV bucket of the bus. All of its content can be derived again: it may be wiped at any moment, and the next call creates it
 * again. Keys consist of letters, digits, - _ = / and dots inside, at most 255; a value is below 1 MiB: else `BusRefused`.
 */
export interface KeyValue {
  /** Undefined when the key does not exist or was deleted. */
  get(key: string): Promise<Entry | undefined>;
  /**
   * Without `expected` it overwrites; with it, only if the key is still at that revision (0 = must not exist). False = another
   * writer was first.
   */
  put(key: string, value: string, expected?: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /**
   * Removes every key under `pattern` that was last written before that revision, and the markers of deleted ones; watches are
   * not told.
   */
  sweep(pattern: string, before: number): Promise<void>;
  /** Names of the keys under `pattern`, with deleted ones that were not swept, by one request. */
  keys(pattern: string): Promise<ReadonlySet<string>>;
  /**
   * Calls `onEntry` for every key that exists, then `onReady` once, then `onEntry` for each change, until `signal` aborts.
   * After a reconnect, or when the bucket was wiped and created again (seen within seconds), it starts over: `onReset`, then
   * all keys, then `onReady` again. What is taken out of a bucket that stays is not told: its owner looks at `keys`.
   * Resolves with the first `onReady`, or after 2 s without a server: the watch stands then, too.
   * A key that is none of ours, which other clients may write, is left out, and logged; so is an entry that `onEntry` throws at.
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
  /** 1 for the first time; more when it was given back, or its holder died or was frozen. */
  readonly tries: number;
  /** True when this process also got the message before it, so that no other consumer did anything in between. */
  readonly isMine: boolean;
  /** False once another consumer may have the message, after a freeze: nothing more may be done for it. */
  isHeld(): boolean;
}

/** `done`: not again. Else it is delivered again after so many real ms, before all later ones. */
export type WorkOutcome = "done" | { readonly againAfterMs: number };

/**
 * The bus of one installation, which hears and reaches no other on the same server. It wakes and informs; nothing is decided on
 * what it says alone. Throws `BusUnavailable` when it does not answer within 5 s (also for a conditional `put` whose answer was
 * lost), `BusRefused` when it says no.
 */
export interface Bus {
  /**
   * Publishes to the installation's stream, subject `meshroll.v1.<type>`. A repeated message is stored twice: with the server's
   * deduplication any login that may publish could take an id first.
   */
  publish(subject: string, body: string): Promise<void>;
  /**
   * New messages from now on (wake-ups, the demo's picture); one may come twice. Resolves when the server knows. `onBack` is
   * called whenever the bus is back after an outage, during which messages were missed.
   */
  listen(
    pattern: string,
    onMessage: (subject: string, body: string) => void,
    signal: AbortSignal,
    onBack?: () => void,
  ): Promise<void>;
  /** The last so many messages of the stream, oldest first. */
  recent(limit: number): Promise<readonly Message[]>;
  /**
   * Every message of the stream under `pattern`, each carried out by one of all processes that use the same `name`: in
   * the order of the stream, one at a time for all together, and again when its holder died (within seconds), failed or
   * asked for it. Remembered by the bus over restarts; a name used for the first time begins ten minutes ago. Resolves at
   * the end of `signal`, when the message in hand is through.
   */
  work(
    name: string,
    pattern: string,
    handle: (delivery: Delivery) => Promise<WorkOutcome>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Creates the bucket when it is absent. */
  bucket(name: "control" | "status" | "inventory"): KeyValue;
  isConnected(): boolean;
  /** A trouble of this process that a person must end: a refused login, a missing right, no room. */
  trouble(): BusTrouble | undefined;
  /** Ends all watches and listeners. */
  close(): Promise<void>;
}
