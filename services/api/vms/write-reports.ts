import type { KeyValue } from "#libs/bus";
import type { Clock, Logger } from "#libs/runtime";

/** Writes at a time: NATS takes some thousand a second from one client. */
const mostAtOnce = 16;
/** Real ms until a write that failed is done again. */
const againMs = 1000;

export type WriteReport = (key: string, text: string) => void;

interface WriterParts {
  readonly bucket: KeyValue;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Writes reports without keeping their agents waiting. Of one VM only the newest waits, so what waits is bounded. */
export function createReportWriter({ bucket, clock, log }: WriterParts, signal: AbortSignal): WriteReport {
  const waiting = new Map<string, string>();
  let [running, isFailing] = [0, false];

  function takeNext(): readonly [key: string, text: string] | undefined {
    const [next] = waiting;
    if (next !== undefined) waiting.delete(next[0]);
    return next;
  }

  async function write(key: string, text: string): Promise<void> {
    try {
      await bucket.put(key, text);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error }, "the bus does not take what VMs report: it is written again until it does");
      isFailing = true;
      if (!waiting.has(key)) waiting.set(key, text);
      await clock.sleepReal(againMs, signal).catch(() => undefined);
    }
  }

  async function drain(): Promise<void> {
    running += 1;
    for (let next = takeNext(); next !== undefined && !signal.aborted; next = takeNext()) await write(...next);
    running -= 1;
  }

  return (key, text) => {
    waiting.set(key, text);
    if (running < mostAtOnce) void drain();
  };
}
