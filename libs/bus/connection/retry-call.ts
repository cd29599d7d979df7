import { systemClock } from "#libs/runtime";

import { classify, nameTrouble } from "./classify.ts";
import { BusRefused, BusUnavailable, NotMade, readMessage } from "../errors.ts";
import type { Link, Session } from "./link.ts";

const clock = systemClock();

/** Real ms until a call gives up; enough for a server that restarts. */
const callLimitMs = 5_000;
const pauseMs = 100;

export interface Call {
  /** What was attempted, for messages. */
  readonly what: string;
  /** False when a second try could see the effect of a first one whose answer was lost. */
  readonly isRepeatable: boolean;
}

/** Records a trouble that concerns more than this call, for health and status. */
function refuse(link: Link, { what }: Call, error: unknown): BusRefused {
  const message = `NATS at ${link.address} refused ${what}: ${readMessage(error)}`;
  const code = nameTrouble(error);
  if (code === undefined) return new BusRefused(message, { cause: error });
  link.troubles.note(what, code, message);
  return new BusRefused(`${code}: ${message}`, { cause: error, code });
}

/** Tries until it works; throws `BusUnavailable` when the time is up, `BusRefused` when the server refuses. */
export async function retryCall<T>(link: Link, call: Call, attempt: (session: Session) => Promise<T>): Promise<T> {
  const until = clock.monotonic() + callLimitMs;
  for (;;) {
    const session = await link.open(until - clock.monotonic());
    try {
      const done = await attempt(session);
      link.troubles.clear(call.what);
      return done;
    } catch (error) {
      // Another login may create it at any moment.
      const isAbsent = error instanceof NotMade;
      const outcome = isAbsent ? "not done" : classify(error);
      const why = `${call.what}: ${readMessage(error)}`;
      if (outcome === "refused") throw refuse(link, call, error);
      if (isAbsent) link.troubles.note(call.what, "BusNotMade", `${error.message} at ${link.address}`);
      const isOver = clock.monotonic() + pauseMs >= until;
      if (isOver || (outcome === "unknown" && !call.isRepeatable)) {
        throw new BusUnavailable(`NATS at ${link.address} did not answer ${why}`, { cause: error });
      }
    }
    await clock.sleepReal(pauseMs);
  }
}
