import { findAge, findRestAt, parseAnnotations, type FailureAnnotation, type RunAnnotation } from "#libs/fleet";
import { findOwnWrite } from "#libs/injection";
import { lookUp } from "#libs/input";
import { type LedgerState, parseTime, type JudgedWorkloads, type JudgedWorkload } from "#libs/plan";

import type { Teller } from "./tell.ts";

/** What is older was told, or is no news any more, ms. */
const toldAgainMs = 100_000;

/** When it is asked: epoch ms by the API server's clock and by ours; and the runs of the ledger. */
interface Moments {
  readonly serverNow: number;
  readonly now: number;
  readonly runs: LedgerState["runs"];
}

function isRecent(at: number | undefined, now: number): boolean {
  return at !== undefined && at <= now && findAge(at, now) <= toldAgainMs;
}

/** The last arrivals of a run may end it before an executor that was killed has told them. By two clocks of ours. */
function hasJustEnded({ runs, now }: Moments, run: string): boolean {
  const { endedAt } = lookUp(runs, run) ?? {};
  return endedAt !== undefined && Math.abs(now - parseTime(endedAt)) <= toldAgainMs;
}

function hasMigrated({ state, rolling, run }: JudgedWorkload, mark: RunAnnotation, moments: Moments): boolean {
  return state.kind === "migrated" && !rolling && (run?.id === mark.run || hasJustEnded(moments, mark.run));
}

function tellMove(tell: Teller, each: JudgedWorkload, mark: RunAnnotation, moments: Moments): void {
  const { state, workload, desired } = each;
  const { serverNow } = moments;
  if (mark.target !== desired || (state.kind !== "migrating" && state.kind !== "migrated")) return;
  if (isRecent(workload.times?.written, serverNow)) tell("workloadMoved", each, mark.run);
  if (hasMigrated(each, mark, moments) && isRecent(findRestAt(workload), serverNow))
    tell("workloadMigrated", each, mark.run);
}

function tellFailure(
  tell: Teller,
  each: JudgedWorkload,
  mark: RunAnnotation,
  failed: FailureAnnotation,
  { now }: Moments,
): void {
  if (failed.revision !== each.desired || !isRecent(parseTime(failed.at), now)) return;
  const reverted = findOwnWrite(each.workload) === undefined;
  tell("workloadFailed", each, mark.run, { code: failed.reason, reason: failed.reason, reverted });
}

/**
 * A process may be killed between a write and its message. One that starts tells what the objects say of the last minutes, by the
 * ids that the first one used, by which readers know it. Of a write that was reverted nothing is left to tell it by, and of a
 * namespace that failed as one nothing says which workload failed first.
 */
export function tellAgain(tell: Teller, judged: JudgedWorkloads, moments: Moments): void {
  for (const each of judged.list("workloads")) {
    const marks = parseAnnotations(each.workload);
    if (marks.kind !== "read" || marks.run === undefined) continue;
    tellMove(tell, each, marks.run, moments);
    if (marks.failed !== undefined) tellFailure(tell, each, marks.run, marks.failed, moments);
  }
}
