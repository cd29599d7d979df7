import type { Clock } from "#libs/runtime";

import type { Watched } from "../store/cluster-store.ts";

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
  /** Its watch was silent for too long: what we show of it is as old as its last word. */
  loseSince(resource: Watched): void;
  /** A collection was read or followed, or its watch said something. */
  find(resource: Watched): void;
  moment(): Moment;
}

export function createLastSeen(clock: Pick<Clock, "now" | "monotonic">): LastSeen {
  let seen: Moment = { at: 0, monotonic: Number.NEGATIVE_INFINITY };
  const lost = new Map<Watched, Moment>();
  const heard = new Map<Watched, Moment>();
  const lose = (resource: Watched, since: Moment) => {
    if (!lost.has(resource)) lost.set(resource, since);
  };
  return {
    touch: () => void (seen = { at: clock.now(), monotonic: clock.monotonic() }),
    lose: (resource) => lose(resource, seen),
    loseSince: (resource) => lose(resource, heard.get(resource) ?? seen),
    find: (resource) => {
      lost.delete(resource);
      heard.set(resource, { at: clock.now(), monotonic: clock.monotonic() });
    },
    moment: () => {
      let oldest = seen;
      for (const moment of lost.values()) if (moment.monotonic < oldest.monotonic) oldest = moment;
      return oldest;
    },
  };
}
