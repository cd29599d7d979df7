import type { FailureStatus } from "#libs/plan";

export function countOf(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? "" : "s"}`;
}

/** The count of failures, with their namespaces where there is room. */
export function printFailureCount({ count, namespaces, earlier = 0 }: Omit<FailureStatus, "items">): string {
  const before = earlier === 0 ? "" : `, ${earlier} of them in earlier runs`;
  return `${countOf(count, "workload")} failed, in ${countOf(namespaces, "namespace")}${before}`;
}

/** The count after other figures; empty without failures. */
export function printFailedShort(count: number): string {
  return count === 0 ? "" : `, ${count} failed`;
}

/** Failed workloads of a run, over its clusters. */
export function countFailed(clusters: readonly { readonly failed: number }[]): number {
  return clusters.reduce((sum, { failed }) => sum + failed, 0);
}
