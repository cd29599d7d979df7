import type { Cluster, WorkloadEvent, WriteOutcome } from "#libs/kube";
import { type Clock, doEach, type Logger } from "#libs/runtime";

import type { Troubles } from "./troubles.ts";

/** Writes Kubernetes Events one after the other in the background: no caller waits for them or fails because of them. */
export interface EventRecorder {
  record(event: WorkloadEvent): void;
}

export interface RecorderParts {
  readonly cluster: Pick<Cluster, "recordEvent">;
  readonly troubles: Pick<Troubles, "put" | "clear">;
  readonly clock: Pick<Clock, "sleepReal">;
  readonly log: Pick<Logger, "warn">;
  /** Called with the number of Events that were given up: for metrics. */
  readonly onLost?: ((count: number) => void) | undefined;
}

/** Upper limit of the queue, should the API server accept none; the oldest Events are dropped first. */
const mostWaiting = 1_000;
/** An Event without an answer is sent this often, with this pause between, real ms. */
const mostTries = 3;
const pauseMs = 5_000;

interface Waiting {
  readonly event: WorkloadEvent;
  tries: number;
}

/** `wait`: the outcome is unknown, and the Event is sent again after `ms` real ms. */
type Step = { readonly kind: "over" } | { readonly kind: "lost" } | { readonly kind: "wait"; readonly ms: number };

function judge(outcome: WriteOutcome, tries: number): Step {
  switch (outcome.kind) {
    case "written":
    case "gone":
    // It is there: an earlier process wrote it, or the answer to our own was lost.
    case "conflict":
      return { kind: "over" };
    case "refused":
      return { kind: "lost" };
    case "unavailable":
      return tries < mostTries ? { kind: "wait", ms: outcome.retryAfterMs ?? pauseMs } : { kind: "lost" };
  }
}

/**
 * A recorder for one cluster. Events that still wait when the signal aborts are dropped; the next executor reports recent ones
 * again.
 */
export function createEventRecorder(parts: RecorderParts, signal: AbortSignal): EventRecorder {
  const { cluster, troubles, clock, log, onLost } = parts;
  const queue: Waiting[] = [];
  let isSending = false;

  /** Puts one trouble until an Event is written again. */
  function noteOutcome(outcome: WriteOutcome): void {
    if (outcome.kind === "written") troubles.clear("events");
    if (outcome.kind !== "refused" && outcome.kind !== "unavailable") return;
    const isNew = troubles.put("events", `kubectl describe lacks Events of meshroll, moves go on: ${outcome.why}`);
    if (isNew) log.warn({ outcome }, "an Event is not written; moves do not depend on it");
  }

  async function sendFirst(first: Waiting): Promise<void> {
    first.tries += 1;
    const outcome = await cluster.recordEvent(first.event);
    const step = judge(outcome, first.tries);
    if (step.kind === "wait") {
      await clock.sleepReal(step.ms, signal);
      return;
    }
    noteOutcome(outcome);
    if (step.kind === "lost") onLost?.(1);
    // `record` may have dropped it from a full queue meanwhile.
    if (queue[0] === first) queue.shift();
  }

  function* listWaiting(): Generator<Waiting> {
    for (let first = queue[0]; first !== undefined && !signal.aborted; first = queue[0]) yield first;
  }

  async function drain(): Promise<void> {
    await doEach(listWaiting(), sendFirst, {
      onFault: (first, error) => {
        log.warn({ error, event: first.event.id }, "an Event is given up; moves do not depend on it");
        onLost?.(1);
        if (queue[0] === first) queue.shift();
      },
      isDown: () => signal.aborted,
    });
  }

  return {
    record(event) {
      queue.push({ event, tries: 0 });
      const surplus = queue.length - mostWaiting;
      if (surplus > 0) {
        queue.splice(0, surplus);
        onLost?.(surplus);
      }
      if (isSending) return;
      isSending = true;
      void drain()
        .catch((error: unknown) => {
          if (!signal.aborted) log.warn({ error }, "Events are not written until the next one comes");
        })
        .finally(() => void (isSending = false));
    },
  };
}
