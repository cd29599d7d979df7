import { type Lease, leaseTurnMs } from "#libs/bus";
import type { Clock, Logger } from "#libs/runtime";

/** A time in which this planner leads: it alone decides, and writes to git, NATS, Redis and the SCM. */
export interface Term {
  /** Aborts when another planner has the lease, or this process ends. */
  readonly signal: AbortSignal;
  /** False while the lease could not be renewed for too long: another planner may have it. */
  readonly leads: () => boolean;
}

export interface LeaseParts {
  readonly lease: Lease;
  readonly clock: Pick<Clock, "sleepReal">;
  readonly log: Pick<Logger, "info" | "warn">;
  /** A term begins. */
  readonly onTerm: () => void;
}

/** Which planner leads, as this one knows. */
export interface Leadership {
  /** Undefined while another planner leads, or nothing is known. */
  term(): Term | undefined;
  /** At the end of this process, when it has written its last: the next planner leads at once. */
  end(): Promise<void>;
}

/** Renews the lease, or waits for it, until `end`. Resolves after the first look, however it went. */
export async function followLease(parts: LeaseParts, signal: AbortSignal): Promise<Leadership> {
  const { lease, clock, log, onTerm } = parts;
  const over = new AbortController();
  let current: { readonly lost: AbortController; readonly term: Term } | undefined;
  let told = "";

  function tell(level: "info" | "warn", message: string, about: object = {}): void {
    if (message !== told) log[level](about, message);
    told = message;
  }

  function begin(): void {
    const lost = new AbortController();
    const term = { signal: AbortSignal.any([signal, lost.signal]), leads: () => lease.isHeld() };
    current = { lost, term };
    onTerm();
  }

  function noteTurn(isOurs: boolean): void {
    tell("info", isOurs ? "this planner leads" : "another planner leads: this one waits");
    if (isOurs && current === undefined) begin();
    if (isOurs) return;
    current?.lost.abort(new Error("another planner leads"));
    current = undefined;
  }

  async function turn(): Promise<void> {
    try {
      noteTurn(await lease.turn());
    } catch (error) {
      tell("warn", "who leads is not known: this planner decides nothing without the lease", { error });
    }
  }

  async function keep(): Promise<void> {
    while (!over.signal.aborted) {
      await clock.sleepReal(leaseTurnMs, over.signal).catch(() => undefined);
      if (!over.signal.aborted) await turn();
    }
  }

  await turn();
  const kept = keep();
  return {
    term: () => current?.term,
    async end() {
      over.abort(new Error("the planner ends"));
      await kept;
      await lease.giveBack();
    },
  };
}
