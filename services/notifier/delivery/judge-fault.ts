import { BusUnavailable } from "#libs/bus";
import { ChatRefused, ChatUnavailable } from "#libs/chat";
import { ScmRefused, ScmUnavailable } from "#libs/scm";

/** What to do after a fault: try again after so many real ms, or never (`drop`), and what to log. */
export interface FaultVerdict {
  readonly againAfterMs: number | "drop";
  readonly level: "warn" | "error";
  /** Identifies an outage that lasts, so that it is logged once. */
  readonly key: string;
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;
/** The log asks a person to fix it. */
const refusedPauseMs = 60_000;
/** A message that fails because of a bug must not block those after it. */
const mostTries = 5;

function backOff(tries: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(tries - 1, 10));
}

/** The chat, the SCM or the bus does not answer. */
export function isPassing(error: unknown): error is ChatUnavailable | ScmUnavailable | BusUnavailable {
  return error instanceof ChatUnavailable || error instanceof ScmUnavailable || error instanceof BusUnavailable;
}

/** The wait that the other side asked for, real ms. */
function readAsked(error: ChatUnavailable | ScmUnavailable | BusUnavailable): number | undefined {
  return "retryAfterMs" in error ? error.retryAfterMs : undefined;
}

function isUnshowable(error: unknown): boolean {
  return error instanceof ChatRefused && error.concerns === "message";
}

/**
 * A refusal that concerns one conversation or one commit only: a later message shows the newest state anyway. A refused login
 * or a missing right concerns all messages.
 */
function isOfOne(error: ChatRefused | ScmRefused): boolean {
  if (error instanceof ChatRefused) return false;
  return error.reason === undefined && error.status !== undefined && error.status !== 401;
}

/** `tries`: how often it has been tried; 1 after the first try. */
export function judgeFault(error: unknown, tries: number): FaultVerdict {
  const key = error instanceof Error ? error.message : String(error);
  if (isPassing(error)) {
    // The text changes with each try (the length of the wait), but the outage is the same.
    const againAfterMs = readAsked(error) ?? backOff(tries);
    return { againAfterMs, level: "warn", key: error.name };
  }
  if (isUnshowable(error)) return { againAfterMs: "drop", level: "error", key };
  if (error instanceof ChatRefused || error instanceof ScmRefused) {
    return { againAfterMs: isOfOne(error) && tries >= mostTries ? "drop" : refusedPauseMs, level: "error", key };
  }
  return { againAfterMs: tries < mostTries ? backOff(tries) : "drop", level: "error", key };
}
