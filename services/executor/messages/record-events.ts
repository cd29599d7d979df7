import type { Cluster, WorkloadEvent, WriteOutcome } from "#libs/kube";
import { type Clock, doEach, type Logger } from "#libs/runtime";

import type { Troubles } from "./troubles.ts";

/** Writes Events one after the other, next to everything else: nothing waits for it and nothing fails because of it. */
export interface EventRecorder {
  record(event: WorkloadEvent): void;
}

export interface RecorderParts {
  readonly cluster: Pick<Cluster, "recordEvent">;
  readonly troubles: Pick<Troubles, "put" | "clear">;
  readonly clock: Pick<Clock, "sleepReal">;
  readonly log: Pick<Logger, "warn">;
  /** Told how many were given up: for metrics. */
  readonly onLost?: ((count: number) => void) | undefined;
}

/** An API server that takes none must not fill our memory; the oldest is the one that is missed least. */
const mostWaiting = 1_000;
/** One that gets no answer is sent so often, with this pause between, real ms. */
const mostTries = 3;
const pauseMs = 5_000;

interface Waiting {
  readonly event: WorkloadEvent;
  tries: number;
}

/** `wait`: nothing is known of it, and it is sent again after so many real ms. */
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

/** A recorder for one cluster; what still waits when the signal aborts is left to the next executor. */
export function createEventRecorder(parts: RecorderParts, signal: AbortSignal): EventRecorder {
  const { cluster, troubles, clock, log, onLost } = parts;
  const queue: Waiting[] = [];
  let isSending = false;

  /** Named once, until one is written again. */
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
    // It may have been dropped meanwhile.
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
