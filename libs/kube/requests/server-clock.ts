import type { Clock } from "#libs/runtime";

/** What time it is for one API server, by what it said last. */
export interface ServerClock {
  /** The `Date` of an answer; absent or no date = nothing is learnt. */
  hear(date: string | undefined): void;
  /** Epoch ms by its clock; undefined before it said one. Never ahead of it, but for an answer that was long on its way. */
  now(): number | undefined;
}

/** Between two answers its time goes on as ours does. */
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
