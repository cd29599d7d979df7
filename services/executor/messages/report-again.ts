import { findAge, findRestAt, readAnnotations, type FailureAnnotation, type RunAnnotation } from "#libs/fleet";
import { findOwnWrite } from "#libs/injection";
import { lookUp } from "#libs/input";
import { type LedgerState, parseTime, type JudgedWorkloads, type JudgedWorkload } from "#libs/plan";
import { renderRemediation } from "#libs/wording";

import type { Report } from "./report-to-bus.ts";

/** Only what happened within this time is reported again, ms. */
const reportedAgainMs = 100_000;

/** The time of the report, epoch ms by the API server's clock and by ours, and the runs of the ledger. */
interface Moments {
  readonly serverNow: number;
  readonly now: number;
  readonly runs: LedgerState["runs"];
}

function isRecent(at: number | undefined, now: number): boolean {
  return at !== undefined && at <= now && findAge(at, now) <= reportedAgainMs;
}

/**
 * A run may end with its last arrivals before an executor that is then killed has reported them. Both times are our own
 * clocks'.
 */
function hasJustEnded({ runs, now }: Moments, run: string): boolean {
  const { endedAt } = lookUp(runs, run) ?? {};
  return endedAt !== undefined && Math.abs(now - parseTime(endedAt)) <= reportedAgainMs;
}

function hasMigrated({ state, rolling, run }: JudgedWorkload, mark: RunAnnotation, moments: Moments): boolean {
  return state.kind === "migrated" && !rolling && (run?.id === mark.run || hasJustEnded(moments, mark.run));
}

function reportMove(report: Report, each: JudgedWorkload, mark: RunAnnotation, moments: Moments): void {
  const { state, workload, desired } = each;
  const { serverNow } = moments;
  if (mark.target !== desired || (state.kind !== "migrating" && state.kind !== "migrated")) return;
  if (isRecent(workload.times?.written, serverNow)) report("workloadMoved", each, mark.run);
  if (hasMigrated(each, mark, moments) && isRecent(findRestAt(workload), serverNow))
    report("workloadMigrated", each, mark.run);
}

function reportFailure(
  report: Report,
  each: JudgedWorkload,
  mark: RunAnnotation,
  failed: FailureAnnotation,
  { now }: Moments,
): void {
  if (failed.revision !== each.desired || !isRecent(parseTime(failed.at), now)) return;
  const reverted = findOwnWrite(each.workload) === undefined;
  const { reason: failure, cause } = failed;
  const { code, message } = renderRemediation({
    code: "MoveFailed",
    failure,
    ...(cause === undefined ? {} : { cause }),
  });
  report("workloadFailed", each, mark.run, { code, reason: message, reverted });
}

/**
 * Reports again what the objects show of the last minutes: a process may be killed between a write and its message. The ids are
 * those of the first report, so readers recognise a repetition. Two cases are lost: a reverted write leaves no trace, and in a
 * namespace that failed as a whole nothing says which workload failed first.
 */
export function reportAgain(report: Report, judged: JudgedWorkloads, moments: Moments): void {
  for (const each of judged.list("workloads")) {
    const { run, failed } = readAnnotations(each.workload) ?? {};
    if (run === undefined) continue;
    reportMove(report, each, run, moments);
    if (failed !== undefined) reportFailure(report, each, run, failed, moments);
  }
}
