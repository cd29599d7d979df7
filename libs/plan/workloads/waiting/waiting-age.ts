import { findAge, type Workload } from "#libs/fleet";

import { parseTime } from "../../records/index.ts";
import type { Blocker, JudgedWorkload } from "../workload-state.ts";

/** Since when its owner's turn lasts, at the latest, by the API server's clock; undefined = unknown. */
const findSince: Readonly<Record<Blocker, (workload: Workload) => number | undefined>> = {
  BudgetAllowsNothing: ({ noDisruptionSince }) => noDisruptionSince,
  BudgetAllowsLess: () => undefined,
  PausedByOwner: ({ times }) => times?.paused ?? times?.status,
  OwnerRollout: ({ times }) => times?.status,
  Partitioned: ({ times }) => times?.status,
  AwaitsPromotion: ({ times }) => times?.status,
  RolloutDegraded: ({ times }) => times?.status,
  TagNotMoved: () => undefined,
  AwaitsDeploy: () => undefined,
  GatewayHeld: () => undefined,
};

/**
 * How long a workload has been waiting for its owner, ms, for a planner that has not seen it wait before: by its API server's own
 * clock, and no longer than its run lasts. 0 where the server says nothing.
 */
export function findWaitingAge(
  { state, workload, run }: JudgedWorkload,
  serverAt: number | undefined,
  now: number,
): number {
  const at = state.kind === "waiting" ? findSince[state.reason.code](workload) : undefined;
  if (at === undefined || serverAt === undefined || run === undefined) return 0;
  return Math.min(findAge(at, serverAt), Math.max(0, now - parseTime(run.startedAt)));
}
