import { findAge, findRestAt, parseMarks, type FailedMark, type RunMark } from "#libs/fleet";
import { findStandingWrite } from "#libs/injection";
import { lookUp } from "#libs/input";
import { type LedgerState, parseTime, type Standings, type WorkloadStanding } from "#libs/plan";

import type { Teller } from "../tell.ts";

/** The stream keeps one message of an id within two minutes (`libs/bus/stream.ts`): what is older might be told twice, ms. */
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

function hasArrived({ standing, rolling, run }: WorkloadStanding, mark: RunMark, moments: Moments): boolean {
  return standing.kind === "there" && !rolling && (run?.id === mark.run || hasJustEnded(moments, mark.run));
}

function tellMove(tell: Teller, each: WorkloadStanding, mark: RunMark, moments: Moments): void {
  const { standing, workload, desired } = each;
  const { serverNow } = moments;
  if (mark.target !== desired || (standing.kind !== "moving" && standing.kind !== "there")) return;
  if (isRecent(workload.times?.written, serverNow)) tell("workloadMoved", each, mark.run);
  if (hasArrived(each, mark, moments) && isRecent(findRestAt(workload), serverNow))
    tell("workloadArrived", each, mark.run);
}

function tellFailure(tell: Teller, each: WorkloadStanding, mark: RunMark, failed: FailedMark, { now }: Moments): void {
  if (failed.revision !== each.desired || !isRecent(parseTime(failed.at), now)) return;
  const reverted = findStandingWrite(each.workload) === undefined;
  tell("workloadFailed", each, mark.run, { reason: failed.reason, reverted });
}

/**
 * A process may be killed between a write and its message. One that starts tells what the objects say of the last minutes, by the
 * ids that the first one used: the bus keeps one of each. Of a write that was taken back nothing is left to tell it by, and of a
 * namespace that failed as one nothing says which workload failed first.
 */
export function tellAgain(tell: Teller, judged: Standings, moments: Moments): void {
  for (const each of judged.list("workloads")) {
    const marks = parseMarks(each.workload.annotations);
    if (marks.kind !== "read" || marks.run === undefined) continue;
    tellMove(tell, each, marks.run, moments);
    if (marks.failed !== undefined) tellFailure(tell, each, marks.run, marks.failed, moments);
  }
}
