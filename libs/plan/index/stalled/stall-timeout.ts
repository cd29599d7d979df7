/** The least timeout, whatever `readinessTimeout` is, ms. */
const leastMs = 10_000;
/** The timeout as a part of `readinessTimeout`: its minimum, and its maximum. */
const [leastPart, mostPart] = [1 / 20, 1 / 2];

/**
 * How long a workload may roll without progress before it gives its place of the batch up, ms: twice the 90th percentile of the
 * step times of workloads that moved before it, so that one as slow as the others keeps its place. Limited to 1/20 to 1/2 of
 * `readinessTimeout`, and at least ten seconds.
 */
export function chooseStallTimeout(readinessTimeout: number, steps: readonly number[]): number {
  const known = steps.filter((each) => each <= readinessTimeout).toSorted((a, b) => a - b);
  const usual = known[Math.ceil(known.length * 0.9) - 1] ?? 0;
  const timeout = Math.max(leastMs, readinessTimeout * leastPart, 2 * usual);
  return Math.min(timeout, Math.max(leastMs, readinessTimeout * mostPart));
}
