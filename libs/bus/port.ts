import type { BusTrouble } from "./troubles.ts";

/** One change of a key. `value` is absent when the key was deleted. */
export interface Entry {
  readonly key: string;
  readonly value?: string;
  /** Grows with each change in the bucket; for compare-and-swap. */
  readonly revision: number;
}

/**
 * A KV bucket of the bus. Everything in it can be derived again: it may be wiped at any moment, and is made again by the
 * next call. Keys are letters, digits, - _ = / and dots inside, 255 at the most; a value is below 1 MiB: else `BusRefused`.
 */
export interface KeyValue {
  /** Undefined when the key was never there or was deleted. */
  get(key: string): Promise<Entry | undefined>;
  /**
   * Without `expected` overwrites; with it, only when the key is still at that revision (0 = must not exist).
   * False = another writer was first.
   */
  put(key: string, value: string, expected?: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /**
   * Forgets every key under `pattern` that was last written before that revision, and the marks of deleted ones, so that
   * they take no room; no watch is reported.
   */
  sweep(pattern: string, before: number): Promise<void>;
  /** Names of the keys under `pattern` that are there, or were deleted and not swept: one question, however many they are. */
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

/** One message of the stream, in the hands of one process. */
export interface Delivery {
  readonly subject: string;
  readonly body: string;
  /** Real ms since the stream took it. */
  readonly ageMs: number;
  /** 1 for the first time; more when it was given back, or its holder died or froze. */
  readonly tries: number;
  /** True when this process was also given the message before it: no other consumer did anything in between. */
  readonly isMine: boolean;
  /** False once the message may be in other hands, after a freeze: then nothing must be done for it any more. */
  isHeld(): boolean;
}

/** `done`: never again. Else it is given out once more after so many real ms, before all later ones. */
export type WorkOutcome = "done" | { readonly againAfterMs: number };

/**
 * The bus of one installation, which hears and reaches no other on the same server. It wakes and informs; nothing is decided on
 * what it says alone. Throws `BusUnavailable` when it does not answer within 5 s (also for a conditional `put` whose answer was
 * lost), `BusRefused` when it says no.
 */
export interface Bus {
  /**
   * Into the installation's stream, subject `meshroll.v1.<type>`. A repeat is kept twice: an id by which the server would keep it
   * once could be taken first, by any login that may publish at all.
   */
  publish(subject: string, body: string): Promise<void>;
  /**
   * New messages from now on, without memory (wake-ups, the demo's picture); one may come twice. Resolves when the bus
   * knows. `onBack` is called whenever it hears again after the bus was away, however shortly: it missed what was said then.
   */
  listen(
    pattern: string,
    onMessage: (subject: string, body: string) => void,
    signal: AbortSignal,
    onBack?: () => void,
  ): Promise<void>;
  /** The last so many messages of the stream, oldest first: what a listener may have missed. */
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
  /** Makes the bucket when it is absent. */
  bucket(name: "control" | "status" | "inventory"): KeyValue;
  isConnected(): boolean;
  /** What stands in this process's way until a person acts: a refused login, a missing right, no room. */
  trouble(): BusTrouble | undefined;
  /** Ends all watches and listeners. */
  close(): Promise<void>;
}
