import type { Clock } from "#libs/runtime";

import type { Watched } from "../store/cluster-store.ts";

export interface Moment {
  /** Epoch ms by the system clock. */
  readonly at: number;
  /** Real monotonic ms. */
  readonly monotonic: number;
}

/** The time up to which the view of a cluster is known to be true. */
export interface LastSeen {
  /** The API server answered or sent something. */
  touch(): void;
  /** A collection cannot be followed. The view is as old as this collection from now on, whatever the server says of others. */
  lose(resource: Watched): void;
  /** A collection's watch was silent for too long: the view is as old as the last line of that watch. */
  loseSince(resource: Watched): void;
  /** A collection was listed or watched again, or its watch sent something. */
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
