import type { Clock } from "#libs/runtime";

/** The API server's time, by the `Date` of its last answer. */
export interface ServerClock {
  /** Takes the `Date` of an answer; ignores an absent or unreadable one. */
  hear(date: string | undefined): void;
  /** Epoch ms by the server's clock; undefined before the first `Date`. It lags by the time that an answer took. */
  now(): number | undefined;
}

/** Between two answers the time advances by this process's clock. */
export function createServerClock(clock: Pick<Clock, "elapsed">): ServerClock {
  let heard: { readonly at: number; readonly elapsed: number } | undefined;
  return {
    hear(date) {
      const at = date === undefined ? Number.NaN : Date.parse(date);
      if (Number.isFinite(at)) heard = { at, elapsed: clock.elapsed() };
    },
    now: () => (heard === undefined ? undefined : heard.at + clock.elapsed() - heard.elapsed),
  };
}
