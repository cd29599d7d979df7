import { BusUnavailable } from "#libs/bus";
import { ChatRefused, ChatUnavailable } from "#libs/chat";
import { ScmRefused, ScmUnavailable } from "#libs/scm";

/** What to do after a fault: again after so many real ms, or never (`drop`), and what the log says. */
export interface FaultVerdict {
  readonly againAfterMs: number | "drop";
  readonly level: "warn" | "error";
  /** One that lasts is logged once: by this it is known again. */
  readonly key: string;
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;
/** A person has to fix it, and is told so by the log. */
const refusedPauseMs = 60_000;
/** A bug of ours must not keep everything that comes after it from being told. */
const mostTries = 5;

function backOff(tries: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(tries - 1, 10));
}

/** The place, or the bus, is away. */
export function isPassing(error: unknown): error is ChatUnavailable | ScmUnavailable | BusUnavailable {
  return error instanceof ChatUnavailable || error instanceof ScmUnavailable || error instanceof BusUnavailable;
}

/** How long the place itself asked us to wait, real ms: it knows better than a guess. */
function readAsked(error: ChatUnavailable | ScmUnavailable | BusUnavailable): number | undefined {
  return "retryAfterMs" in error ? error.retryAfterMs : undefined;
}

function isUnshowable(error: unknown): boolean {
  return error instanceof ChatRefused && error.concerns === "message";
}

/**
 * GitHub may refuse what concerns one conversation or one commit: what comes after it shows the newest state, too. A login that it does
 * not take, or rights that have a name, concern all.
 */
function isOfOne(error: ChatRefused | ScmRefused): boolean {
  if (error instanceof ChatRefused) return false;
  return error.reason === undefined && error.status !== undefined && error.status !== 401;
}

/** `tries`: how often it has been tried, 1 after the first time. */
export function judgeFault(error: unknown, tries: number): FaultVerdict {
  const key = error instanceof Error ? error.message : String(error);
  if (isPassing(error)) {
    // What it says changes with each try, as how long the wait is: it is the same outage.
    const againAfterMs = readAsked(error) ?? backOff(tries);
    return { againAfterMs, level: "warn", key: error.name };
  }
  if (isUnshowable(error)) return { againAfterMs: "drop", level: "error", key };
  if (error instanceof ChatRefused || error instanceof ScmRefused) {
    return { againAfterMs: isOfOne(error) && tries >= mostTries ? "drop" : refusedPauseMs, level: "error", key };
  }
  return { againAfterMs: tries < mostTries ? backOff(tries) : "drop", level: "error", key };
}
