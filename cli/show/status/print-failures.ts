import type { FailureStatus } from "#libs/plan";

export function countOf(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? "" : "s"}`;
}

/** The one number of failures, for lines that have room for its namespaces. */
export function printFailureCount({ count, namespaces }: Pick<FailureStatus, "count" | "namespaces">): string {
  return `${countOf(count, "workload")} failed, in ${countOf(namespaces, "namespace")}`;
}

/** The same where a line has other figures before it; nothing where none failed. */
export function printFailedShort(count: number): string {
  return count === 0 ? "" : `, ${count} failed`;
}

/** Failed workloads of a run, as its clusters have them. */
export function countFailed(clusters: readonly { readonly failed: number }[]): number {
  return clusters.reduce((sum, { failed }) => sum + failed, 0);
}
