import { matchesSubject } from "../names.ts";
import type { Entry } from "../port.ts";

/** A message as the stream keeps it. */
export interface FakeMessage {
  readonly installation: string;
  readonly subject: string;
  readonly body: string;
}

/** What becomes of a message on its way to a listener. */
export type Fate = "once" | "twice" | "lost" | "late";

/** A bus server in memory. Faults are brought about by verbs. */
export interface FakeBusServer {
  /** Everything that the stream took; emptied by `wipe`. */
  readonly messages: readonly FakeMessage[];
  /** It cannot be reached: every call fails, every watch falls silent. */
  disconnect(): void;
  /** Reachable again: watches start over. */
  connect(): void;
  /** Forgets the stream and all buckets. */
  wipe(): void;
  /** Takes the keys under `pattern` out of all buckets, as a person's purge does: no mark stays, and no watch is told. */
  purge(pattern: string): void;
  /** Decides about every delivery from now on; without it each message comes once, in order. */
  disturb(fate: (message: FakeMessage) => Fate): void;
  /** Delivers what is late, the last first. */
  deliverLate(): void;
  /** What the stream holds grows older by so many ms. */
  letPass(ms: number): void;
  /** Another client of the server writes: its key and its value may be any. `bucket` as the server names it. */
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

/** How far those who share a name in `work` are. */
export interface FakeWork {
  /** Index of the first message that no consumer was given. */
  next: number;
  /** Given out and not done. */
  hand: FakeMessage | undefined;
  tries: number;
  /** Who has it now. */
  holder: object | undefined;
  /** Who was given one last. */
  last: object | undefined;
}

/** The server's inside, for its clients only. */
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
  /** Counts what those who work wait for. */
  changes: number;
  /** By installation and name. */
  readonly work: Map<string, FakeWork>;
  /** Wake those that wait for a message. */
  readonly workers: Set<() => void>;
  readonly faults: string[];
}

/** Only a client of this folder may look inside. */
const insides = new WeakMap<FakeBusServer, FakeState>();

export function lookInside(server: FakeBusServer): FakeState {
  const state = insides.get(server);
  if (state === undefined) throw new Error("this server was not made by createFakeBusServer");
  return state;
}

/** The keys of a bucket, by the name that it has on the server. */
export function keysOf(state: FakeState, bucket: string): Map<string, Entry> {
  const found = state.buckets.get(bucket) ?? new Map<string, Entry>();
  state.buckets.set(bucket, found);
  return found;
}

/** Keeps a change, and tells those who watch. */
export function writeEntry(state: FakeState, bucket: string, entry: Omit<Entry, "revision">): void {
  const written = { ...entry, revision: ++state.revision };
  keysOf(state, bucket).set(entry.key, written);
  for (const watch of state.watches) if (watch.bucket === bucket && watch.wants(entry.key)) watch.onChange(written);
}

/** An empty server that can be reached. */
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
      // Buckets that are created again count from one.
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
  insides.set(server, state);
  return server;
}
