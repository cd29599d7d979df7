import type { BatchSettings } from "#libs/campaign";

import type { JudgedWorkload } from "./workload-state.ts";

/** A count, or a share of the cluster's managed workloads in percent; absent = no limit. */
export type Amount = number | { readonly percent: number } | undefined;

/** The limit of `maxUnavailable` or `maxFailures` among so many: percentages are rounded down. */
function resolveAmount(amount: Amount, total: number): number {
  if (amount === undefined) return Number.POSITIVE_INFINITY;
  return typeof amount === "number" ? amount : Math.floor((amount.percent * total) / 100);
}

/**
 * How many of a cluster's managed workloads may be unavailable at once. At least one, because with none nothing could ever
 * move.
 */
export function countAllowed(amount: Amount, managed: number): number {
  return amount === undefined ? Number.POSITIVE_INFINITY : Math.max(1, resolveAmount(amount, managed));
}

/**
 * Moving workloads, and those that became unavailable since the run began (rules 3.3), among those that roll or lack pods. A group of VMs
 * that moves has a budget of its own.
 */
export function countUnavailable(short: Iterable<JudgedWorkload>, unhealthyBefore: ReadonlySet<string>): number {
  let count = 0;
  for (const each of short) {
    const isMoving = each.rolling && each.workload.vms === undefined;
    if (isMoving || (each.unavailable && !unhealthyBefore.has(each.key))) count += 1;
  }
  return count;
}

/** How many failures a run may have before it stops: none with FailFast, unless `maxFailures` says more. */
export function countTolerated({ failurePolicy, maxFailures }: BatchSettings, workloads: number): number {
  if (maxFailures !== undefined) return resolveAmount(maxFailures, workloads);
  return failurePolicy === "FailFast" ? 0 : Number.POSITIVE_INFINITY;
}
