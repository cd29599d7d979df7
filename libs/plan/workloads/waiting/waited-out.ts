import type { WorkloadReason } from "#libs/wording";

import type { Spec } from "../../records/index.ts";
import { findReadinessTimeout } from "../sail-annotations.ts";
import type { JudgedWorkload } from "../workload-state.ts";
import { isEndless } from "./endless.ts";
import { findWaitingAge } from "./waiting-age.ts";

/** The times of one look, epoch ms: by the API server's clock where it is known, and by ours. */
interface Moment {
  readonly serverNow?: number | undefined;
  readonly now: number;
}

/**
 * The reason with which a workload is skipped whose owner's turn lasts for `readinessTimeout`, for an executor, which remembers
 * no waits: only as far as the objects show how long it lasts.
 */
export function findWaitedOut(each: JudgedWorkload, head: Spec, moment: Moment): WorkloadReason | undefined {
  const { state } = each;
  if (state.kind !== "waiting" || isEndless(state.reason) || state.reason.code === "AwaitsDeploy") return undefined;
  const age = findWaitingAge(each, moment.serverNow, moment.now);
  return age >= findReadinessTimeout(each, head, each.run) ? { ...state.reason, isOver: true } : undefined;
}
