/** The least share of time, whatever `readinessTimeout` is, ms. */
const leastMs = 10_000;
/** The share as a part of `readinessTimeout`: its default, and its maximum. */
const [leastPart, mostPart] = [1 / 20, 1 / 2];

/**
 * How long a workload may roll without progress before it gives its place of the batch up, ms: a twentieth of `readinessTimeout`,
 * and at least ten seconds; but twice what nine of ten steps of those took that arrived before it, up to half of
 * `readinessTimeout`. So what is as slow as all others keeps its place.
 */
export function chooseShare(readinessTimeout: number, steps: readonly number[]): number {
  const known = steps.filter((each) => each <= readinessTimeout).toSorted((a, b) => a - b);
  const usual = known[Math.ceil(known.length * 0.9) - 1] ?? 0;
  const share = Math.max(leastMs, readinessTimeout * leastPart, 2 * usual);
  return Math.min(share, Math.max(leastMs, readinessTimeout * mostPart));
}
