import type { Clock, Logger, Metrics } from "#libs/runtime";

import { createEventMemory, printEvent } from "./event-memory.ts";
import { makePatch } from "./make-patch.ts";

/** The connection of one reader. */
export interface EventSink {
  /** The reader's network address; readers of one address share its limits. */
  readonly address: string;
  /** It asked for a pulse at each turn: the age of the status, and what is newest of namespaces and runs. */
  readonly wantsPulse: boolean;
  /** It asked for patches of the status instead of the whole. */
  readonly wantsPatches: boolean;
  /** It asked for the stream's messages. */
  readonly wantsMessages: boolean;
  write(text: string): void;
  /** Bytes that the reader has not taken yet. */
  pending(): number;
  /** Closes the connection: after what was written, or at once. */
  end(how: "gently" | "at once"): void;
}

export interface EventHub {
  /**
   * Adds a reader, from now on or from after the event `lastId`. At the limit the oldest reader of the address with the most
   * readers is closed, so that one address cannot keep the others out.
   */
  join(sink: EventSink, lastId: string | undefined): void;
  leave(sink: EventSink): void;
  /** A message of the stream. */
  publish(body: string): void;
  /**
   * The latest messages of the stream, oldest first; this process may have missed some. `wasAway`: the bus was away since it
   * listens.
   */
  catchUp(bodies: readonly string[], wasAway: boolean): void;
  /** The fleet's status has changed. */
  show(status: string): void;
  /** Sends what is due until the signal aborts, then closes all readers. */
  run(onTurn: () => void, printPulse: () => string, signal: AbortSignal): Promise<void>;
}

export interface HubOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Pick<Logger, "warn" | "error">;
  /** How many readers are served. */
  readonly mostReaders: number;
  /** A reader that is this many bytes behind is closed. */
  readonly mostPending: number;
  /** When all readers together are this many bytes behind, the slowest is closed. */
  readonly mostPendingInAll: number;
}

/** Real ms: the status is sent at most this often, and a silent stream gets a comment this often. */
const turnMs = 500;
const heartbeatMs = 15_000;

/** The oldest reader of the address with the most readers. */
function choosePlace(readers: ReadonlySet<EventSink>): EventSink | undefined {
  const counts = new Map<string, number>();
  for (const { address } of readers) counts.set(address, (counts.get(address) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...readers].find(({ address }) => counts.get(address) === most);
}

/** The reader with the most pending bytes. */
function findSlowest(readers: ReadonlySet<EventSink>): EventSink | undefined {
  return [...readers].toSorted((a, b) => b.pending() - a.pending())[0];
}

/** Sends messages and status to all readers, with bounded memory for each. */
export function createEventHub(options: HubOptions): EventHub {
  const { clock, metrics, log, mostReaders, mostPending, mostPendingInAll } = options;
  const memory = createEventMemory();
  const readers = new Set<EventSink>();
  /** Readers that continue from an event before this process's start, held until the stream was read; with that event's id. */
  const held = new Map<EventSink, string>();
  let hasCaughtUp = false;
  const dropped = metrics.count("meshroll_event_readers_dropped_total", "Readers of /v1/events that were too slow");
  metrics.ask("meshroll_event_readers", "Readers of /v1/events", [], () => [[{}, readers.size]]);
  let beatAt = clock.monotonic();
  /** To be sent at the next turn. */
  let status: string | undefined;
  /** The status that was sent last, which a patch changes. */
  let shown: string | undefined;

  /** The reader may connect again and continue from its last event. */
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

  /** Readers that are held get all of it later, from their own event on. */
  function sendEvent(text: string): void {
    for (const sink of readers) if (sink.wantsMessages && !held.has(sink)) send(sink, text);
  }

  function sendStatus(next: string): void {
    const whole = printEvent("status", next);
    const change = shown === undefined ? whole : printEvent("status-patch", makePatch(shown, next));
    for (const sink of readers) send(sink, sink.wantsPatches && change.length < whole.length ? change : whole);
    shown = next;
  }

  /** Many readers within their limits may still be too much together. */
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
    // Where something may be missing, or too much, the reader is told to read the state again.
    if (missed === undefined || length > mostPending) send(sink, printEvent("gap", JSON.stringify({ since: lastId })));
    else if (missed.length > 0) send(sink, missed.map(({ text }) => text).join(""));
  }

  function turn(printPulse: () => string): void {
    const next = status;
    // A status that cannot be sent is not tried again: the next one comes within seconds.
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
      // The latest status that was sent: a newer one follows with the next turn, for all readers.
      if (shown !== undefined) send(sink, printEvent("status", shown));
    },
    leave(sink) {
      readers.delete(sink);
      held.delete(sink);
    },
    publish(body) {
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
