import { systemClock } from "#libs/runtime";

import { classify } from "./classify.ts";
import { BusRefused, BusUnavailable, readMessage } from "./errors.ts";
import type { Link, Session } from "./link.ts";

const clock = systemClock();

/** Real ms until a call gives up; long enough for a server that is restarted. */
const callLimitMs = 5_000;
const pauseMs = 100;

export interface Call {
  /** For messages: what was wanted. */
  readonly what: string;
  /** False when a second try could see the effect of a first one whose answer was lost. */
  readonly isRepeatable: boolean;
}

/** Tries until it works or the time is up: `BusUnavailable`, or `BusRefused` when the server says no. */
export async function persist<T>(link: Link, call: Call, attempt: (session: Session) => Promise<T>): Promise<T> {
  const until = clock.monotonic() + callLimitMs;
  for (;;) {
    const session = await link.open(until - clock.monotonic());
    try {
      return await attempt(session);
    } catch (error) {
      const outcome = classify(error);
      const why = `${call.what}: ${readMessage(error)}`;
      if (outcome === "refused") throw new BusRefused(`NATS at ${link.address} refused ${why}`, { cause: error });
      const isOver = clock.monotonic() + pauseMs >= until;
      if (isOver || (outcome === "unknown" && !call.isRepeatable)) {
        throw new BusUnavailable(`NATS at ${link.address} did not answer ${why}`, { cause: error });
      }
    }
    await clock.sleepReal(pauseMs);
  }
}
