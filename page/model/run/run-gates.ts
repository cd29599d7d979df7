import type { FleetStatus, GateLine, RecordReport, ReportedGate, RunReport } from "#libs/plan";

import type { Span } from "./run-course.ts";
import { printNumber } from "../print-number.ts";

/** A gate as it is shown: its present state, or its recorded one. */
export type ShownGate = Omit<ReportedGate, "when"> & Partial<Pick<ReportedGate, "when">>;

function readRecorded({ gates }: RecordReport, lines: readonly GateLine[]): readonly ShownGate[] {
  return gates.map(({ verdict: status, ...gate }) => {
    const when = lines.find(({ name }) => name === gate.name)?.when;
    return { ...gate, status, ...(when === undefined ? {} : { when }) };
  });
}

/** The gates of an open run as its campaign's status has them, which is newer than its report; else what the ledger records. */
export function listRunGates(
  record: RecordReport,
  report: RunReport | undefined,
  fleet: FleetStatus | undefined,
): readonly ShownGate[] {
  const live = fleet?.campaigns?.find(({ runs }) => runs.at(-1) === record.id)?.gates;
  const reported = record.state === "open" ? report?.gates : undefined;
  return live ?? reported ?? readRecorded(record, report?.series.gates ?? []);
}

/** What the chart of one gate draws. */
export interface GateCourse {
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** The values at the ends of its axis. */
  readonly bottom: number;
  readonly top: number;
  readonly sentence: string;
}

/** From zero, but where all values are near their limit: there the axis would show one line. */
function findBottom(values: readonly number[], top: number): number {
  const lowest = Math.min(...values);
  const isNear = lowest > 0.5 * top && top > 0;
  return isNear ? Math.max(0, lowest - Math.max(top - lowest, 0.01 * top)) : Math.min(0, lowest);
}

/** The last value holds until the end of the axis, or until `until` for an ended run. */
export function layOutGate({ name, limit, points }: GateLine, until: number, span: Span): GateCourse {
  const last = points.at(-1);
  const end = Math.min(until, span.until);
  const held = last === undefined || last[0] >= end ? points : [...points, [end, last[1]] as const];
  const values = held.map(([, value]) => value);
  const highest = Math.max(...values, ...(values.length === 0 ? [0] : []));
  const known = [...values, ...(limit === undefined ? [] : [limit])];
  const top = Math.max(0, ...known);
  const latest = last === undefined ? "no value" : `latest ${printNumber(last[1])}`;
  const bound = limit === undefined ? "no limit" : `limit ${printNumber(limit)}`;
  return {
    times: held.map(([t]) => t),
    values,
    bottom: findBottom(known, top),
    top,
    sentence: `${name}: ${latest}, highest ${printNumber(highest)}, ${bound}`,
  };
}
