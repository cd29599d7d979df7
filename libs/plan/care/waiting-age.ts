import { findAge, type Workload } from "#libs/fleet";

import { parseTime } from "../iso-time.ts";
import type { Blocker, WorkloadStanding } from "../standing.ts";

/** Since when its owner's turn lasts, at the latest, by the API server's clock; undefined = unknown. */
function findBlockedAt({ times, noDisruptionSince }: Workload, by: Blocker): number | undefined {
  switch (by) {
    case "disruptionBudget":
      return noDisruptionSince;
    case "paused":
      return times?.paused ?? times?.status;
    case "ownerRollout":
      return times?.status;
    case "tag":
      return undefined;
  }
}

/**
 * How long a workload has been waiting for its owner, ms, for a planner that has not seen it wait before: by its API server's own
 * clock, and no longer than its run lasts. 0 where the server tells nothing.
 */
export function findWaitingAge(
  { standing, workload, run }: WorkloadStanding,
  serverAt: number | undefined,
  now: number,
): number {
  const at = standing.kind === "blocked" ? findBlockedAt(workload, standing.by) : undefined;
  if (at === undefined || serverAt === undefined || run === undefined) return 0;
  return Math.min(findAge(at, serverAt), Math.max(0, now - parseTime(run.startedAt)));
}
