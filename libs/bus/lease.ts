import type { Clock } from "#libs/runtime";

import type { Entry, KeyValue } from "./port.ts";

/** Real ms between two turns. */
export const leaseTurnMs = 2_000;

/** Who waits takes a lease over that it saw unchanged for so long, ms of its own monotonic clock: no clocks are compared. */
const takeOverMs = 10_000;

/**
 * A holder acts no longer than this after it asked for its last renewal, real ms. Who waits counts from a moment after that, so it
 * acts 3 s later at the earliest: time for what is under way, and for clocks that tick apart.
 */
const actMs = 7_000;

/** The value of a lease that was given back. */
const free = "free";

/** Who wants the lease. */
export interface LeaseHolder {
  /** Where it runs: of two processes of one place the earlier one is dead, and its lease is its successor's at once. */
  readonly place: string;
  /** Another one for each process. */
  readonly id: string;
}

export interface LeaseParts {
  readonly bucket: KeyValue;
  readonly key: string;
  readonly holder: LeaseHolder;
  readonly clock: Pick<Clock, "monotonic">;
}

/** A key of the bus that one process holds at a time, by compare-and-swap. */
export interface Lease {
  /** Renews it, or takes it where it is free; to be called every `leaseTurnMs`. Answers whether it is ours. Throws as the bus does. */
  turn(): Promise<boolean>;
  /** True while no other process can have taken it over. */
  isHeld(): boolean;
  /** Lets another process have it at once. */
  giveBack(): Promise<void>;
}

export function createLease({ bucket, key, holder, clock }: LeaseParts): Lease {
  const own = `${holder.place} ${holder.id}`;
  let isFirstLook = true;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** What another process wrote last, and when this one saw it first. */
  let seen: { readonly revision: number; readonly since: number } | undefined;

  function isPredecessor(found: Entry | undefined): boolean {
    return isFirstLook && found?.value?.startsWith(`${holder.place} `) === true;
  }

  function hasStopped(found: Entry | undefined, now: number): boolean {
    // In a bucket that was wiped its holder writes it again: who waits goes on waiting.
    if (found === undefined) return seen === undefined || now - seen.since >= takeOverMs;
    if (seen?.revision !== found.revision) seen = { revision: found.revision, since: now };
    return now - seen.since >= takeOverMs;
  }

  function mayWrite(found: Entry | undefined, now: number): boolean {
    return found?.value === own || found?.value === free || isPredecessor(found) || hasStopped(found, now);
  }

  return {
    async turn() {
      const found = await bucket.get(key);
      const now = clock.monotonic();
      const isFree = mayWrite(found, now);
      isFirstLook = false;
      const isOurs = isFree && (await bucket.put(key, own, found?.revision ?? 0));
      if (isOurs) seen = undefined;
      askedAt = isOurs ? now : Number.NEGATIVE_INFINITY;
      return isOurs;
    },
    isHeld: () => clock.monotonic() - askedAt < actMs,
    async giveBack() {
      askedAt = Number.NEGATIVE_INFINITY;
      const found = await bucket.get(key);
      if (found?.value === own) await bucket.put(key, free, found.revision);
    },
  };
}
