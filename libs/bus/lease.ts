import type { Clock } from "#libs/runtime";

import type { Entry, KeyValue } from "./port.ts";

/** Real ms between two turns. */
export const leaseTurnMs = 2_000;

/**
 * A waiting process takes over a lease that it saw unchanged for this long, ms of its own monotonic clock, so no clocks are
 * compared.
 */
const takeOverMs = 10_000;

/**
 * A holder acts at most this long after it began its last renewal, real ms. A waiting process counts from a later moment and
 * acts at least 3 s later: room for requests in flight, and for clocks of different speed.
 */
const actMs = 7_000;

/** The value of a lease that was given back. */
const free = "free";

/** The process that wants the lease. */
export interface LeaseHolder {
  /** Where it runs: of two processes in one place the earlier one is dead, so its successor takes the lease at once. */
  readonly place: string;
  /** Differs for each process. */
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
  /**
   * Renews the lease, or takes it where it is free; call it every `leaseTurnMs`. Returns whether it is ours. Throws the bus's
   * errors.
   */
  turn(): Promise<boolean>;
  /** True while no other process can have taken it over. */
  isHeld(): boolean;
  /** Frees it, so that another process can take it at once. */
  giveBack(): Promise<void>;
}

export function createLease({ bucket, key, holder, clock }: LeaseParts): Lease {
  const own = `${holder.place} ${holder.id}`;
  let isFirstLook = true;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** What another process wrote last, and when this one first saw it. */
  let seen: { readonly revision: number; readonly since: number } | undefined;

  function isPredecessor(found: Entry | undefined): boolean {
    return isFirstLook && found?.value?.startsWith(`${holder.place} `) === true;
  }

  function hasStopped(found: Entry | undefined, now: number): boolean {
    // After a wipe the holder writes it again, so a waiting process keeps its count.
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
