import { randomUUID } from "node:crypto";

import type { Bus } from "#libs/bus";
import { makeEvent, nameSubject } from "#libs/events";
import type { Clock, Logger, Metrics } from "#libs/runtime";

import type { Hint } from "./hint.ts";

interface SenderParts {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Real ms between two hints; hints in between are merged, so that a flood costs the planner little. */
const gapMs = 100;

/** Publishes hints, the first at once. It does not wait for the bus, so that GitHub gets its answer. */
export function createHintSender({ bus, clock, log, metrics }: SenderParts, signal: AbortSignal): (hint: Hint) => void {
  const sent = metrics.count("meshroll_hints_total", "Hints for the planner by outcome", ["outcome"]);
  // Distinguishes replicas, whose message ids must differ.
  const self = randomUUID();
  let count = 0;
  let waiting: Hint | undefined;
  let isSending = false;

  async function send(hint: Hint): Promise<void> {
    count += 1;
    const event = makeEvent("githubHint", `hint-${self}-${count}`, clock.now(), hint);
    try {
      await bus.publish(nameSubject(event), JSON.stringify(event));
      sent.add({ outcome: "sent" });
    } catch (error) {
      // A lost hint does no harm: the planner polls.
      sent.add({ outcome: "lost" });
      log.warn({ error }, "the bus did not take a hint: the planner finds the change when it polls");
    }
  }

  async function drain(): Promise<void> {
    isSending = true;
    for (let hint = waiting; hint !== undefined && !signal.aborted; hint = waiting) {
      waiting = undefined;
      await send(hint);
      await clock.sleepReal(gapMs, signal).catch(() => undefined);
    }
    isSending = false;
  }

  return ({ main, pulls }) => {
    waiting = { main: main || waiting?.main === true, pulls: pulls || waiting?.pulls === true };
    if (!isSending) void drain();
  };
}
