import type { Clock, Logger, Metrics } from "#libs/runtime";

import { createEventMemory, printEvent } from "./event-memory.ts";
import { makePatch } from "./make-patch.ts";

/** Where one reader's events go. */
export interface EventSink {
  /** Where the reader is, as far as the network tells: those of one address share what there is. */
  readonly address: string;
  /** It asked for a sign of life with each turn: how old the status is, and which table of namespaces is the newest. */
  readonly wantsPulse: boolean;
  /** It asked for what changed of the status in place of all of it. */
  readonly wantsPatches: boolean;
  /** Messages of the stream interest it. */
  readonly wantsMessages: boolean;
  write(text: string): void;
  /** Bytes that the reader did not take yet. */
  pending(): number;
  /** Ends it: after what was written, or at once. */
  end(how: "gently" | "at once"): void;
}

export interface EventHub {
  /**
   * A reader from now on, or from after the event `lastId`. Where as many are served as may be, the oldest of the address that has
   * the most of them leaves: it may return, and one who opens a hundred keeps none of the others out.
   */
  join(sink: EventSink, lastId: string | undefined): void;
  leave(sink: EventSink): void;
  /** A message of the stream. */
  tell(body: string): void;
  /**
   * The last messages of the stream, oldest first: some of them this process may have missed. `wasAway`: the bus was away
   * since this process listens.
   */
  catchUp(bodies: readonly string[], wasAway: boolean): void;
  /** The fleet's status says something new. */
  show(status: string): void;
  /** Sends what is due until the signal aborts; then all readers are ended. */
  run(onTurn: () => void, printPulse: () => string, signal: AbortSignal): Promise<void>;
}

export interface HubOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Pick<Logger, "warn" | "error">;
  /** How many readers are served. */
  readonly mostReaders: number;
  /** A reader that has so many bytes before it is ended: it costs no more than this and one message. */
  readonly mostPending: number;
  /** So many bytes wait for all readers together; beyond them the slowest is ended. */
  readonly mostPendingInAll: number;
}

/** Real ms: status goes out at most so often, and a silent stream says so often that it is there. */
const turnMs = 500;
const heartbeatMs = 15_000;

/** The oldest reader of the address that has the most of them. */
function choosePlace(readers: ReadonlySet<EventSink>): EventSink | undefined {
  const counts = new Map<string, number>();
  for (const { address } of readers) counts.set(address, (counts.get(address) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...readers].find(({ address }) => counts.get(address) === most);
}

/** The one that takes least of what it is sent. */
function findSlowest(readers: ReadonlySet<EventSink>): EventSink | undefined {
  return [...readers].toSorted((a, b) => b.pending() - a.pending())[0];
}

/** Hands the stream's messages and the status to all readers, with bounded memory for each. */
export function createEventHub(options: HubOptions): EventHub {
  const { clock, metrics, log, mostReaders, mostPending, mostPendingInAll } = options;
  const memory = createEventMemory();
  const readers = new Set<EventSink>();
  /** Readers that go on from an event of before this process, until it has read what the stream kept; with that event's id. */
  const held = new Map<EventSink, string>();
  let hasCaughtUp = false;
  const dropped = metrics.count("meshroll_event_readers_dropped_total", "Readers of /v1/events that were too slow");
  metrics.ask("meshroll_event_readers", "Readers of /v1/events", [], () => [[{}, readers.size]]);
  let beatAt = clock.monotonic();
  /** What is sent at the next turn. */
  let status: string | undefined;
  /** What was sent at the last turn that sent one: what a patch changes. */
  let shown: string | undefined;

  /** It may return and go on from the last event that it saw. */
  function drop(sink: EventSink | undefined): void {
    if (sink === undefined || !readers.delete(sink)) return;
    held.delete(sink);
    dropped.add();
    end(sink, "at once");
  }

  function end(sink: EventSink, how: Parameters<EventSink["end"]>[0]): void {
    try {
      sink.end(how);
    } catch (error) {
      log.warn({ error }, "a reader of events could not be ended");
    }
  }

  function send(sink: EventSink, text: string): void {
    try {
      if (sink.pending() <= mostPending) return sink.write(text);
    } catch (error) {
      log.warn({ error }, "a reader of events could not be served");
    }
    drop(sink);
  }

  function sendAll(text: string): void {
    for (const sink of readers) send(sink, text);
  }

  /** Not to those that are held: they are sent all of it at once, from where each of them was. */
  function sendEvent(text: string): void {
    for (const sink of readers) if (sink.wantsMessages && !held.has(sink)) send(sink, text);
  }

  function sendStatus(next: string): void {
    const whole = printEvent("status", next);
    const change = shown === undefined ? whole : printEvent("status-patch", makePatch(shown, next));
    for (const sink of readers) send(sink, sink.wantsPatches && change.length < whole.length ? change : whole);
    shown = next;
  }

  /** Many slow readers, each of them within its bound, would still be much. */
  function boundPending(): void {
    const sum = () => [...readers].reduce((bytes, sink) => bytes + sink.pending(), 0);
    while (sum() > mostPendingInAll) drop(findSlowest(readers));
  }

  function sendPulse(text: string): void {
    for (const sink of readers) if (sink.wantsPulse) send(sink, text);
  }

  function resume(sink: EventSink, lastId: string): void {
    const missed = memory.since(lastId);
    if (missed === undefined && !hasCaughtUp) return void held.set(sink, lastId);
    const length = missed?.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
    // The reader must know that something may be missing: it reads the state again. So it does where it missed too much.
    if (missed === undefined || length > mostPending) send(sink, printEvent("gap", JSON.stringify({ since: lastId })));
    else if (missed.length > 0) send(sink, missed.map(({ text }) => text).join(""));
  }

  function turn(printPulse: () => string): void {
    const next = status;
    // One that cannot be sent is not tried again: the next one comes within seconds.
    status = undefined;
    if (next !== undefined) sendStatus(next);
    sendPulse(printEvent("pulse", printPulse()));
    boundPending();
    if (clock.monotonic() - beatAt < heartbeatMs) return;
    beatAt = clock.monotonic();
    sendAll(": heartbeat\n\n");
  }

  return {
    join(sink, lastId) {
      readers.add(sink);
      if (readers.size > mostReaders) drop(choosePlace(readers));
      send(sink, "retry: 2000\n\n");
      if (lastId !== undefined && sink.wantsMessages) resume(sink, lastId);
      // A newer one comes with the next turn, for all readers: until then all have the same.
      if (shown !== undefined) send(sink, printEvent("status", shown));
    },
    leave(sink) {
      readers.delete(sink);
      held.delete(sink);
    },
    tell(body) {
      const event = memory.add(body);
      if (event !== undefined) sendEvent(event.text);
    },
    catchUp(bodies, wasAway) {
      const { events, isGap } = memory.merge(bodies, wasAway);
      if (isGap) sendEvent(printEvent("gap", "{}"));
      for (const { text } of events) sendEvent(text);
      hasCaughtUp = true;
      for (const [sink, lastId] of held) resume(sink, lastId);
      held.clear();
    },
    show(text) {
      if (shown === undefined) sendStatus(text);
      else status = text;
    },
    async run(onTurn, printPulse, signal) {
      beatAt = clock.monotonic();
      while (!signal.aborted) {
        try {
          onTurn();
          turn(printPulse);
        } catch (error) {
          log.error({ error }, "events could not be sent: the next turn goes on");
        }
        await clock.sleepReal(turnMs, signal).catch(() => undefined);
      }
      for (const sink of readers) end(sink, "gently");
      readers.clear();
      held.clear();
    },
  };
}
