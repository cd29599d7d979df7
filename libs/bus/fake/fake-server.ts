import { matchesSubject } from "../names.ts";
import type { Entry } from "../port.ts";

/** A message as the stream stores it. */
export interface FakeMessage {
  readonly installation: string;
  readonly subject: string;
  readonly body: string;
}

/** What happens to a message on its way to a listener. */
export type Fate = "once" | "twice" | "lost" | "late";

/** A bus server in memory; its methods cause faults. */
export interface FakeBusServer {
  /** All messages that the stream stored; emptied by `wipe`. */
  readonly messages: readonly FakeMessage[];
  /** Makes the server unreachable: every call fails, and watches get nothing. */
  disconnect(): void;
  /** Makes it reachable again: watches start over. */
  connect(): void;
  /** Deletes the stream and all buckets. */
  wipe(): void;
  /**
   * Removes the keys under `pattern` from all buckets, as a person's purge does: without markers, and without notifying watches.
   */
  purge(pattern: string): void;
  /** Decides about every delivery from now on; without it each message is delivered once, in order. */
  disturb(fate: (message: FakeMessage) => Fate): void;
  /** Delivers late messages, newest first. */
  deliverLate(): void;
  /** Makes all messages of the stream older by so many ms. */
  letPass(ms: number): void;
  /** Writes as another client of the server: any key, any value. `bucket`: its name on the server. */
  write(bucket: string, key: string, value: string): void;
  /** What handlers of `work`, and watchers, threw. */
  readonly faults: readonly string[];
}

export interface FakeListener {
  readonly wants: (message: Pick<FakeMessage, "installation" | "subject">) => boolean;
  readonly take: (subject: string, body: string) => void;
  readonly onBack: () => void;
}

export interface FakeWatch {
  readonly bucket: string;
  readonly wants: (key: string) => boolean;
  onChange(entry: Entry): void;
  onRestart(): void;
}

/** Progress of the consumers that share a name in `work`. */
export interface FakeWork {
  /** Index of the first message that was not given out. */
  next: number;
  /** Given out and not done yet. */
  hand: FakeMessage | undefined;
  tries: number;
  /** The consumer that has it now. */
  holder: object | undefined;
  /** The consumer that got the last one. */
  last: object | undefined;
}

/** The server's state, for clients in this folder. */
export interface FakeState {
  isUp: boolean;
  revision: number;
  readonly messages: FakeMessage[];
  /** By installation and name. */
  readonly buckets: Map<string, Map<string, Entry>>;
  readonly listeners: Set<FakeListener>;
  readonly watches: Set<FakeWatch>;
  fate: (message: FakeMessage) => Fate;
  readonly late: (() => void)[];
  readonly takenAt: WeakMap<FakeMessage, number>;
  passedMs: number;
  /** Counts the changes that workers wait for. */
  changes: number;
  /** By installation and name. */
  readonly work: Map<string, FakeWork>;
  /** Callbacks of workers that wait for a message. */
  readonly workers: Set<() => void>;
  readonly faults: string[];
}

/** Only clients in this folder may access it. */
const states = new WeakMap<FakeBusServer, FakeState>();

export function findState(server: FakeBusServer): FakeState {
  const state = states.get(server);
  if (state === undefined) throw new Error("this server was not made by createFakeBusServer");
  return state;
}

/** The keys of a bucket, by its name on the server. */
export function keysOf(state: FakeState, bucket: string): Map<string, Entry> {
  const found = state.buckets.get(bucket) ?? new Map<string, Entry>();
  state.buckets.set(bucket, found);
  return found;
}

/** Stores a change and tells watches. */
export function writeEntry(state: FakeState, bucket: string, entry: Omit<Entry, "revision">): void {
  const written = { ...entry, revision: ++state.revision };
  keysOf(state, bucket).set(entry.key, written);
  for (const watch of state.watches) if (watch.bucket === bucket && watch.wants(entry.key)) watch.onChange(written);
}

/** An empty, reachable server. */
export function createFakeBusServer(): FakeBusServer {
  const state: FakeState = {
    isUp: true,
    revision: 0,
    messages: [],
    buckets: new Map(),
    listeners: new Set(),
    watches: new Set(),
    fate: () => "once",
    late: [],
    takenAt: new WeakMap(),
    passedMs: 0,
    changes: 0,
    work: new Map(),
    workers: new Set(),
    faults: [],
  };
  const restartAll = () => {
    for (const watch of state.watches) watch.onRestart();
    state.changes += 1;
    for (const wake of state.workers) wake();
  };
  const server: FakeBusServer = {
    messages: state.messages,
    disconnect: () => void (state.isUp = false),
    connect() {
      if (state.isUp) return;
      state.isUp = true;
      restartAll();
      for (const listener of state.listeners) listener.onBack();
    },
    wipe() {
      state.messages.length = 0;
      state.buckets.clear();
      state.work.clear();
      // A bucket that is created again counts its revisions from one.
      state.revision = 0;
      if (state.isUp) restartAll();
    },
    purge(pattern) {
      for (const keys of state.buckets.values())
        for (const key of keys.keys()) if (matchesSubject(pattern, key)) keys.delete(key);
    },
    disturb: (fate) => void (state.fate = fate),
    deliverLate() {
      for (const deliver of state.late.splice(0).toReversed()) deliver();
    },
    letPass: (ms) => void (state.passedMs += ms),
    write: (bucket, key, value) => writeEntry(state, bucket, { key, value }),
    faults: state.faults,
  };
  states.set(server, state);
  return server;
}
