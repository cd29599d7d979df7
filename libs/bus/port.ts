/** One change of a key. `value` is absent when the key was deleted. */
export interface Entry {
  readonly key: string;
  readonly value?: string;
  /** Grows with each change in the bucket; for compare-and-swap. */
  readonly revision: number;
}

/**
 * A KV bucket of the bus. Everything in it can be derived again: it may be wiped at any moment, and is made again by the
 * next call. Keys are letters, digits, - _ = / and dots inside; a value is below 1 MiB: else `BusRefused`.
 */
export interface KeyValue {
  /** Undefined when the key was never there or was deleted. */
  get(key: string): Promise<Entry | undefined>;
  /**
   * Without `expected` overwrites; with it, only when the key is still at that revision (0 = must not exist).
   * False = somebody was first.
   */
  put(key: string, value: string, expected?: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /**
   * Calls `onEntry` for every key that exists, then `onReady` once, then `onEntry` for each change, until `signal` aborts.
   * After a reconnect, or when the bucket was wiped and made anew (seen within seconds), it starts over: `onReset`, then
   * all keys, then `onReady` again. Resolves with the first `onReady`, or after 2 s without a server: the watch stands then, too.
   */
  watch(pattern: string, watcher: KeyWatcher, signal: AbortSignal): Promise<void>;
}

export interface KeyWatcher {
  onEntry(entry: Entry): void;
  onReady(): void;
  onReset(): void;
}

/**
 * The bus: it wakes and informs; nothing is decided on what it says alone. Throws `BusUnavailable` when it does not answer
 * within 5 s (also for a conditional `put` whose answer was lost), `BusRefused` when it says no.
 */
export interface Bus {
  /** Into the stream MESHROLL, subject `meshroll.v1.<type>`; `id` makes a repeat harmless. */
  publish(subject: string, id: string, body: string): Promise<void>;
  /** New messages from now on, without memory (wake-ups, the demo's picture); one may come twice. Resolves when the bus knows. */
  listen(pattern: string, onMessage: (subject: string, body: string) => void, signal: AbortSignal): Promise<void>;
  /** Makes the bucket when it is absent. */
  bucket(name: "control" | "status" | "inventory"): KeyValue;
  /** Throws `BusUnavailable` when nobody answers in time, `AskFailed` with the words of the one who could not. Not below `meshroll.v1`. */
  ask(subject: string, body: string, timeoutMs: number): Promise<string>;
  answer(subject: string, handle: (body: string) => Promise<string>, signal: AbortSignal): Promise<void>;
  isConnected(): boolean;
  /** Ends all watches, listeners and answers. */
  close(): Promise<void>;
}
