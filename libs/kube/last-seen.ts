import type { Clock } from "#libs/runtime";

import type { Watched } from "./cluster-store.ts";

export interface Moment {
  /** Epoch ms of the time people live in. */
  readonly at: number;
  /** Real monotonic ms. */
  readonly monotonic: number;
}

/** Up to when what we show of a cluster is true. */
export interface LastSeen {
  /** The server said something. */
  touch(): void;
  /** A collection cannot be followed: from now on it grows old, however much the server says of others. */
  lose(resource: Watched): void;
  find(resource: Watched): void;
  moment(): Moment;
}

export function createLastSeen(clock: Pick<Clock, "now" | "monotonic">): LastSeen {
  let seen: Moment = { at: 0, monotonic: Number.NEGATIVE_INFINITY };
  const lost = new Map<Watched, Moment>();
  return {
    touch: () => void (seen = { at: clock.now(), monotonic: clock.monotonic() }),
    lose: (resource) => {
      if (!lost.has(resource)) lost.set(resource, seen);
    },
    find: (resource) => void lost.delete(resource),
    moment: () => {
      let oldest = seen;
      for (const moment of lost.values()) if (moment.monotonic < oldest.monotonic) oldest = moment;
      return oldest;
    },
  };
}
