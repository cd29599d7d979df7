import type { FleetStatus, RecordReport, RunReport } from "#libs/plan";

import { status } from "../../live/connection.ts";
import { runAnswer } from "../../live/run-report.ts";
import { makeSpan, type Span } from "../../model/run/run-course.ts";

export type OpenRun = FleetStatus["runs"][number];

/** What is known of the run that is shown. */
export interface RunFacts {
  readonly record: RecordReport;
  /** While it is open: the newest state. */
  readonly now?: OpenRun;
  /** Absent where no report of it was published. */
  readonly report?: RunReport;
  readonly fleet?: FleetStatus;
  /** The axis of all its charts, epoch ms by the fleet's clock, and the end of what is known. */
  readonly span: Span;
  readonly until: number;
}

/** An open run without a report: the status has less of it. */
function toRecord(run: OpenRun, fleet: FleetStatus | undefined): RecordReport {
  const { id, subject, author, startedAt, commit = "" } = run;
  const campaign = fleet?.campaigns?.find(({ runs }) => runs.includes(id))?.name;
  return {
    id,
    commit,
    subject,
    author,
    startedAt,
    state: "open",
    changes: [],
    gates: [],
    ...(campaign === undefined ? {} : { campaign }),
  };
}

/** The newest of its times: an open run is sampled seldom, and what was seen last holds until the newest status. */
function findUntil(record: RecordReport, report: RunReport | undefined, fleet: FleetStatus | undefined): number {
  const sampled = report?.series.until ?? Date.parse(record.startedAt);
  if (record.state !== "open" || fleet === undefined) return sampled;
  return Math.max(sampled, Date.parse(fleet.at));
}

function findReport(id: string): RunReport | undefined {
  const answer = runAnswer.value;
  return answer.kind === "known" && answer.report.record.id === id ? answer.report : undefined;
}

function findNow(id: string, fleet: FleetStatus | undefined, report: RunReport | undefined): OpenRun | undefined {
  // When it ends, its last report comes a little later than the status without it: until then it is as it was.
  const last = report?.record.state === "open" ? report.now : undefined;
  return fleet?.runs.find((each) => each.id === id) ?? last;
}

/** Undefined while neither the status nor a report has the run. */
export function readRunFacts(id: string): RunFacts | undefined {
  const fleet = status.value;
  const report = findReport(id);
  const now = findNow(id, fleet, report);
  const record = report?.record ?? (now === undefined ? undefined : toRecord(now, fleet));
  if (record === undefined) return undefined;
  const until = findUntil(record, report, fleet);
  return {
    record,
    span: makeSpan(Date.parse(record.startedAt), until),
    until,
    ...(now === undefined ? {} : { now }),
    ...(report === undefined ? {} : { report }),
    ...(fleet === undefined ? {} : { fleet }),
  };
}
