import type { Workload } from "#libs/fleet";

import type { WorkloadStanding } from "./standing.ts";

/** A count, or a share of the cluster's managed workloads in percent; absent = no limit. */
export type Amount = number | { readonly percent: number } | undefined;

/** Fewer pods are available than the owner asked for. */
export function isUnavailable(workload: Workload): boolean {
  return workload.available < workload.replicas;
}

/** What `maxUnavailable` or `maxFailures` allows among so many: a percentage is rounded down, as nobody asked for more. */
export function resolveAmount(amount: Amount, total: number): number {
  if (amount === undefined) return Number.POSITIVE_INFINITY;
  return typeof amount === "number" ? amount : Math.floor((amount.percent * total) / 100);
}

/** How many workloads of the cluster may be unavailable at once. At least one: a limit that rounds to none would wait for ever. */
export function countAllowed(amount: Amount, judged: readonly WorkloadStanding[]): number {
  if (amount === undefined) return Number.POSITIVE_INFINITY;
  const managed = judged.filter((each) => each.standing.kind !== "unmanaged").length;
  return Math.max(1, resolveAmount(amount, managed));
}

/** What moves, plus what became unavailable since the run began (rules 3.3). */
export function countUnavailable(judged: readonly WorkloadStanding[], unhealthyBefore: ReadonlySet<string>): number {
  return judged.filter(
    (each) =>
      each.standing.kind !== "unmanaged" && (each.rolling || (each.unavailable && !unhealthyBefore.has(each.key))),
  ).length;
}
