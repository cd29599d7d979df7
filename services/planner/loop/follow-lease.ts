import { type Lease, leaseTurnMs } from "#libs/bus";
import type { Clock, Logger } from "#libs/runtime";

/** A time in which this planner leads: no other planner decides, or writes to git, NATS, Redis or the SCM. */
export interface Term {
  /** Aborts when another planner gets the lease, or this process ends. */
  readonly signal: AbortSignal;
  /** False once the lease could not be renewed for too long: another planner may hold it. */
  readonly leads: () => boolean;
}

export interface LeaseParts {
  readonly lease: Lease;
  readonly clock: Pick<Clock, "sleepReal">;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Called when a term begins. */
  readonly onTerm: () => void;
}

/** Which planner leads, as far as this one knows. */
export interface Leadership {
  /** Undefined while another planner leads, or it is not known which one does. */
  term(): Term | undefined;
  /** Gives the lease back, after the last write of this process: the next planner leads at once. */
  end(): Promise<void>;
}

/** Renews the lease, or tries to get it, until `end`. Resolves after the first attempt, whether or not it succeeded. */
export async function followLease(parts: LeaseParts, signal: AbortSignal): Promise<Leadership> {
  const { lease, clock, log, onTerm } = parts;
  const over = new AbortController();
  let current: { readonly lost: AbortController; readonly term: Term } | undefined;
  let lastMessage = "";

  function logOnce(level: "info" | "warn", message: string, about: object = {}): void {
    if (message !== lastMessage) log[level](about, message);
    lastMessage = message;
  }

  function begin(): void {
    const lost = new AbortController();
    const term = { signal: AbortSignal.any([signal, lost.signal]), leads: () => lease.isHeld() };
    current = { lost, term };
    onTerm();
  }

  function noteTurn(isOurs: boolean): void {
    logOnce("info", isOurs ? "this planner leads" : "another planner leads: this one waits");
    if (isOurs && current === undefined) begin();
    if (isOurs) return;
    current?.lost.abort(new Error("another planner leads"));
    current = undefined;
  }

  async function turn(): Promise<void> {
    try {
      noteTurn(await lease.turn());
    } catch (error) {
      logOnce("warn", "who leads is not known: this planner decides nothing without the lease", { error });
    }
  }

  async function renewUntilOver(): Promise<void> {
    while (!over.signal.aborted) {
      await clock.sleepReal(leaseTurnMs, over.signal).catch(() => undefined);
      if (!over.signal.aborted) await turn();
    }
  }

  await turn();
  const renewing = renewUntilOver();
  return {
    term: () => current?.term,
    async end() {
      over.abort(new Error("the planner ends"));
      await renewing;
      await lease.giveBack();
    },
  };
}
