import { BusUnavailable } from "./errors.ts";
import type { Bus, Entry, KeyValue, KeyWatcher } from "./port.ts";
import { matchesPattern } from "./subject-pattern.ts";

interface Watching {
  readonly pattern: string;
  readonly watcher: KeyWatcher;
}

interface FakeBucket {
  readonly entries: Map<string, Entry>;
  readonly watchings: Set<Watching>;
}

interface Listener {
  readonly pattern: string;
  readonly onMessage: (subject: string, body: string) => void;
}

/** The server side of the fake bus: shared by any number of connections. */
export interface FakeBusServer {
  /** While false every call of a connection throws `BusUnavailable`, and nothing is delivered. */
  setUp(isUp: boolean): void;
  /** Everything stored is gone, as after a new disk; watches start over. */
  wipe(): void;
  /** Messages published so far, oldest first. */
  readonly messages: readonly { readonly subject: string; readonly body: string }[];
  readonly state: FakeBusState;
}

interface FakeBusState {
  isUp: boolean;
  revision: number;
  readonly buckets: Map<string, FakeBucket>;
  readonly listeners: Set<Listener>;
  readonly services: Map<string, (body: string) => Promise<string>>;
  readonly ids: Set<string>;
  readonly messages: { readonly subject: string; readonly body: string }[];
}

export function createFakeBusServer(): FakeBusServer {
  const state: FakeBusState = {
    isUp: true,
    revision: 0,
    buckets: new Map(),
    listeners: new Set(),
    services: new Map(),
    ids: new Set(),
    messages: [],
  };
  return {
    state,
    messages: state.messages,
    setUp(isUp) {
      state.isUp = isUp;
      if (isUp)
        for (const bucket of state.buckets.values())
          for (const watching of bucket.watchings) replay(bucket, watching, true);
    },
    wipe() {
      state.ids.clear();
      for (const bucket of state.buckets.values()) {
        bucket.entries.clear();
        for (const watching of bucket.watchings) replay(bucket, watching, true);
      }
    },
  };
}

/** Tells a watcher everything that stands, from the start. */
function replay(bucket: FakeBucket, { pattern, watcher }: Watching, isAgain: boolean): void {
  if (isAgain) watcher.onReset();
  for (const entry of bucket.entries.values()) if (matchesPattern(pattern, entry.key)) watcher.onEntry(entry);
  watcher.onReady();
}

function requireUp(state: FakeBusState): void {
  if (!state.isUp) throw new BusUnavailable("the fake bus is down");
}

function openBucket(state: FakeBusState, name: string): KeyValue {
  const known = state.buckets.get(name);
  const bucket: FakeBucket = known ?? { entries: new Map(), watchings: new Set() };
  state.buckets.set(name, bucket);

  function change(entry: Entry): void {
    if (entry.value === undefined) bucket.entries.delete(entry.key);
    else bucket.entries.set(entry.key, entry);
    for (const { pattern, watcher } of bucket.watchings) if (matchesPattern(pattern, entry.key)) watcher.onEntry(entry);
  }

  return {
    async get(key) {
      requireUp(state);
      return bucket.entries.get(key);
    },
    async put(key, value, expected) {
      requireUp(state);
      if (expected !== undefined && (bucket.entries.get(key)?.revision ?? 0) !== expected) return false;
      state.revision += 1;
      change({ key, value, revision: state.revision });
      return true;
    },
    async delete(key) {
      requireUp(state);
      if (!bucket.entries.has(key)) return;
      state.revision += 1;
      change({ key, revision: state.revision });
    },
    async watch(pattern, watcher, signal) {
      const watching = { pattern, watcher };
      bucket.watchings.add(watching);
      signal.addEventListener("abort", () => bucket.watchings.delete(watching), { once: true });
      if (state.isUp) replay(bucket, watching, false);
    },
  };
}

/** A connection to the fake bus. */
export function openFakeBus({ state }: FakeBusServer): Bus {
  return {
    async publish(subject, id, body) {
      requireUp(state);
      if (state.ids.has(id)) return;
      state.ids.add(id);
      state.messages.push({ subject, body });
      for (const { pattern, onMessage } of state.listeners)
        if (matchesPattern(pattern, subject)) onMessage(subject, body);
    },
    async listen(pattern, onMessage, signal) {
      const listener = { pattern, onMessage };
      state.listeners.add(listener);
      signal.addEventListener("abort", () => state.listeners.delete(listener), { once: true });
    },
    bucket: (name) => openBucket(state, name),
    async ask(subject, body) {
      requireUp(state);
      const service = state.services.get(subject);
      if (service === undefined) throw new BusUnavailable(`nobody answers ${subject}`);
      return service(body);
    },
    async answer(subject, handle, signal) {
      state.services.set(subject, handle);
      signal.addEventListener("abort", () => state.services.delete(subject), { once: true });
    },
    isConnected: () => state.isUp,
    close: async () => undefined,
  };
}
