import type { FleetStatus } from "#libs/plan";
import type { Clock } from "#libs/runtime";

import { describeEvent } from "./describe-event.ts";
import type { Display, Output } from "./display.ts";

/** Shortest time between two written statuses while a run is open, real ms. */
const spacingMs = 1000;

/** A text that changes when anything but times and ages in the status changes. */
function nameState({ at: _at, wroteAt: _wroteAt, main, clusters, ...rest }: FleetStatus): string {
  const stable = clusters.map(({ ageSeconds: _age, ...cluster }) => cluster);
  return JSON.stringify({ ...rest, head: main.head, clusters: stable });
}

/**
 * One JSON object per line on stdout, by `kind`: `said` {at, text}, `event` {event}, `status` {status}, `next` {steps},
 * `summary` {summary}. Texts for people also go to stderr.
 */
export function createJsonLines(
  stdout: Pick<Output, "write">,
  stderr: Pick<Output, "write">,
  clock: Pick<Clock, "now" | "monotonic">,
): Display {
  let lastState = "";
  let wroteAt = Number.NEGATIVE_INFINITY;
  let lastSteps = "";
  const put = (line: object): void => void stdout.write(`${JSON.stringify(line)}\n`);
  return {
    showStatus(status) {
      const state = nameState(status);
      const isOver = status.runs.length === 0;
      if (state === lastState || (!isOver && clock.monotonic() - wroteAt < spacingMs)) return;
      lastState = state;
      wroteAt = clock.monotonic();
      put({ kind: "status", status });
    },
    showEvent(event) {
      put({ kind: "event", event });
      const note = describeEvent(event);
      if (note !== undefined) stderr.write(`  ${note.text}\n`);
    },
    say(text) {
      put({ kind: "said", at: new Date(clock.now()).toISOString(), text });
      stderr.write(`${text}\n`);
    },
    suggest(steps) {
      const text = JSON.stringify(steps);
      if (text === lastSteps) return;
      lastSteps = text;
      put({ kind: "next", steps });
      for (const { what, command } of steps) stderr.write(`  ▸ ${what}: ${command}\n`);
    },
    leave: () => undefined,
    summarise(text, summary) {
      put({ kind: "summary", summary });
      stderr.write(`${text}\n`);
    },
  };
}
