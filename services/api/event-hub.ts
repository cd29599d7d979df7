import type { Clock, Metrics } from "#libs/runtime";

import { createEventMemory, printEvent } from "./event-memory.ts";

/** Where one reader's events go. */
export interface EventSink {
  write(text: string): void;
  /** Bytes that the reader did not take yet. */
  pending(): number;
  /** Ends it: after what was written, or at once. */
  end(how: "gently" | "at once"): void;
}

export interface EventHub {
  /** True when there are as many readers as are served. */
  isFull(): boolean;
  /** A reader from now on, or from after the event `lastId`. */
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
  run(onTurn: () => void, signal: AbortSignal): Promise<void>;
}

export interface HubOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** How many readers are served. */
  readonly mostReaders: number;
  /** A reader that has so many bytes before it is ended: it costs no more than this and one message. */
  readonly mostPending: number;
}

/** Real ms: status goes out at most so often, and a silent stream says so often that it is there. */
const turnMs = 500;
const heartbeatMs = 15_000;

/** Hands the stream's messages and the status to all readers, with bounded memory for each. */
export function createEventHub({ clock, metrics, mostReaders, mostPending }: HubOptions): EventHub {
  const memory = createEventMemory();
  const readers = new Set<EventSink>();
  const dropped = metrics.count("meshroll_event_readers_dropped_total", "Readers of /v1/events that were too slow");
  metrics.ask("meshroll_event_readers", "Readers of /v1/events", [], () => [[{}, readers.size]]);
  let status: string | undefined;
  let isStatusNew = false;

  function send(sink: EventSink, text: string): void {
    if (sink.pending() <= mostPending) return sink.write(text);
    // It may come back and go on from the last event that it saw.
    readers.delete(sink);
    dropped.add();
    sink.end("at once");
  }

  function sendAll(text: string): void {
    for (const sink of readers) send(sink, text);
  }

  function resume(sink: EventSink, lastId: string): void {
    const missed = memory.since(lastId);
    // The reader must know that something may be missing: it reads the state anew.
    if (missed === undefined) send(sink, printEvent("gap", JSON.stringify({ since: lastId })));
    else if (missed.length > 0) send(sink, missed.map(({ text }) => text).join(""));
  }

  return {
    isFull: () => readers.size >= mostReaders,
    join(sink, lastId) {
      readers.add(sink);
      send(sink, "retry: 2000\n\n");
      if (lastId !== undefined) resume(sink, lastId);
      if (status !== undefined) send(sink, printEvent("status", status));
    },
    leave: (sink) => void readers.delete(sink),
    tell(body) {
      const event = memory.add(body);
      if (event !== undefined) sendAll(event.text);
    },
    catchUp(bodies, wasAway) {
      const { events, isGap } = memory.merge(bodies, wasAway);
      if (isGap) sendAll(printEvent("gap", "{}"));
      for (const { text } of events) sendAll(text);
    },
    show(text) {
      status = text;
      isStatusNew = true;
    },
    async run(onTurn, signal) {
      let beatAt = clock.monotonic();
      while (!signal.aborted) {
        onTurn();
        if (isStatusNew && status !== undefined) sendAll(printEvent("status", status));
        isStatusNew = false;
        if (clock.monotonic() - beatAt >= heartbeatMs) {
          beatAt = clock.monotonic();
          sendAll(": heartbeat\n\n");
        }
        await clock.sleepReal(turnMs, signal).catch(() => undefined);
      }
      for (const sink of readers) sink.end("gently");
      readers.clear();
    },
  };
}
