import type { Workload } from "../facts.ts";

export type Health =
  | { readonly healthy: true }
  | { readonly healthy: false; readonly reason: "ProgressDeadlineExceeded" | "Unavailable" };

/** Is it well before we touch it? One that is not goes last and its failure is never ours (`UnhealthyBefore`). */
export function judgeHealth(workload: Workload): Health {
  if (workload.deadlineExceeded) return { healthy: false, reason: "ProgressDeadlineExceeded" };
  if (workload.available < workload.replicas) return { healthy: false, reason: "Unavailable" };
  return { healthy: true };
}
