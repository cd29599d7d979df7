import type { Bus, Delivery, WorkOutcome } from "#libs/bus";
import { isOfItsSubject, readEvent } from "#libs/events";
import type { Clock, Logger } from "#libs/runtime";

import type { Sink } from "./delivery/sink.ts";
import { createFaultLog, type FaultLog } from "./delivery/fault-log.ts";
import { followStatus } from "./follow-status.ts";
import { judgeFault } from "./delivery/judge-fault.ts";
import { createRecall, type NoteInOrder } from "./facts/recall-runs.ts";
import { followNotify, type NotifyStore } from "./facts/notify-store.ts";
import type { RunStore } from "./facts/run-store.ts";

export interface NotifierParts {
  readonly bus: Bus;
  readonly runs: RunStore;
  readonly rules: NotifyStore;
  /** One for each place where people are notified; they do not wait for each other. */
  readonly sinks: readonly Sink[];
  readonly clock: Clock;
  readonly log: Logger;
  /** Called at each turn of a loop, for health. */
  readonly onTurn?: () => void;
}

/** An older message is not posted as news, real ms: only the present state is shown. */
const lateMs = 10 * 60_000;
/** Interval of checks for edits, real ms; the rate limiter decides how often messages are edited. */
const refreshMs = 1_000;
/** Longest pause after a fault, real ms: a loop without progress for a minute counts as dead. The adapter waits out bans. */
const longestPauseMs = 30_000;

/** One sink with its message store and log. */
interface Sending {
  readonly sink: Sink;
  readonly note: NoteInOrder;
  readonly faults: FaultLog;
}

/** Handles one message; a message that fails repeatedly because of a bug is dropped, so that the others go on. */
async function deliverOne({ sink, note, faults }: Sending, delivery: Delivery): Promise<WorkOutcome> {
  const event = isOfItsSubject(delivery.subject, delivery.body) ? readEvent(delivery.body) : undefined;
  if (event === undefined) return "done";
  try {
    await note(event);
    const { ageMs, isMine } = delivery;
    await sink.deliver({ event, isLate: ageMs > lateMs, isMine, isHeld: () => delivery.isHeld() });
    faults.worked();
    return "done";
  } catch (error) {
    const verdict = judgeFault(error, delivery.tries);
    faults.failed(error, verdict, { event: event.id });
    return verdict.againAfterMs === "drop" ? "done" : { againAfterMs: verdict.againAfterMs };
  }
}

/** Edits state messages until the signal aborts. After a fault it pauses and goes on. */
async function refreshAlways(sink: Sink, parts: NotifierParts, faults: FaultLog, signal: AbortSignal): Promise<void> {
  let tries = 0;
  while (!signal.aborted) {
    let pauseMs = refreshMs;
    parts.onTurn?.();
    try {
      await sink.refresh();
      tries = 0;
    } catch (error) {
      tries += 1;
      const verdict = judgeFault(error, tries);
      faults.failed(error, verdict, {});
      pauseMs = verdict.againAfterMs === "drop" ? longestPauseMs : Math.min(verdict.againAfterMs, longestPauseMs);
    }
    await parts.clock.sleepReal(pauseMs, signal).catch(() => undefined);
  }
}

/** Runs the notifier until the signal aborts. No service waits for it; the bus stores undelivered messages for a week. */
export async function runNotifier(parts: NotifierParts, signal: AbortSignal): Promise<void> {
  const { bus, runs, rules, sinks, log } = parts;
  // 1. Follow the rules, the status, and every message as it comes.
  const note = createRecall(bus, runs, log);
  await followNotify(bus, rules, signal);
  await followStatus(bus, runs, note, signal);

  // 2. Each sink on its own, so that an unreachable one does not block the others.
  await Promise.all(
    sinks.map(async (sink) => {
      const faults = createFaultLog(log, sink.name, () => parts.clock.monotonic());
      // 3. News: each message is posted once, by one of all notifiers. 4. States: edited in place.
      const deliver = async (delivery: Delivery) => deliverOne({ sink, note, faults }, delivery);
      const working = bus.work(`notifier-${sink.name}`, "meshroll.v1.>", deliver, signal);
      await Promise.all([working, refreshAlways(sink, parts, faults, signal)]);
    }),
  );
}
