/** One change of a key. `value` is absent when the key was deleted. */
export interface Entry {
  readonly key: string;
  readonly value?: string;
  /** Grows with each change in the bucket; for compare-and-swap. */
  readonly revision: number;
}

/** A KV bucket of the bus. Everything in it can be derived again: it may be wiped at any moment. */
export interface KeyValue {
  get(key: string): Promise<Entry | undefined>;
  /** Without `expected` overwrites; with it, only when the key is still at that revision (0 = must not exist). False = somebody was first. */
  put(key: string, value: string, expected?: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /**
   * Calls `onEntry` for every key that exists, then `onReady` once, then for each change, until `signal` aborts. After a
   * reconnect, or when the bucket was wiped and made anew, it starts over: `onReset`, then all keys, then `onReady` again.
   */
  watch(pattern: string, watcher: KeyWatcher, signal: AbortSignal): Promise<void>;
}

export interface KeyWatcher {
  onEntry(entry: Entry): void;
  onReady(): void;
  onReset(): void;
}

/** The bus: it wakes and informs; nothing is decided on what it says alone. Throws `BusUnavailable` when it does not answer within its time limit. */
export interface Bus {
  /** Into the stream MESHROLL, subject `meshroll.v1.<type>`; `id` makes a repeat harmless. */
  publish(subject: string, id: string, body: string): Promise<void>;
  /** New messages of the stream from now on, without memory (wake-ups, the demo's picture). */
  listen(pattern: string, onMessage: (subject: string, body: string) => void, signal: AbortSignal): Promise<void>;
  /** Makes the bucket when it is absent. */
  bucket(name: "control" | "status" | "inventory"): KeyValue;
  ask(subject: string, body: string, timeoutMs: number): Promise<string>;
  answer(subject: string, handle: (body: string) => Promise<string>, signal: AbortSignal): Promise<void>;
  isConnected(): boolean;
  close(): Promise<void>;
}
