import { dropAbsent, parseTime } from "../../records/index.ts";
import type { CampaignStatus, GateStatus } from "../campaign-status.ts";
import type { FleetStatus } from "../status.ts";
import { type BatchInHand, closeBars, trackBatches } from "./batch-bars.ts";
import type { GateLine, GatePoint, ProgressPoint, RecordReport, RunSeries } from "./run-report.ts";
import { addPoint } from "./thin-line.ts";

/** The gates of which a line is kept; a stage has a few. */
const mostGates = 50;

const classes = ["migrated", "idle", "migrating", "pending", "waiting", "skipped"] as const;

/** Nothing was sampled yet. */
export const emptySeries: RunSeries = { progress: { every: 0, points: [] }, gates: [], batches: [] };

function readTime({ t }: ProgressPoint): number {
  return t;
}

/** A point is added only where a count changed: until the newest sample the last point holds. */
function addProgress({ progress }: RunSeries, point: ProgressPoint): RunSeries["progress"] {
  const last = progress.points.at(-1);
  const isSame = last !== undefined && classes.every((name) => last[name] === point[name]);
  return isSame ? progress : addPoint(progress, point, readTime);
}

function readGateTime([t]: GatePoint): number {
  return t;
}

/** A measurement that was seen already, or shows the same value, adds no point. */
function addMeasurement(line: GateLine, { value, at }: GateStatus, now: number): GateLine {
  if (value === undefined) return line;
  const last = line.points.at(-1);
  const t = at === undefined ? now : Math.min(now, parseTime(at));
  const isNews = last === undefined || (t > last[0] && value !== last[1]);
  return isNews ? { ...line, ...addPoint(line, [t, value] as const, readGateTime) } : line;
}

function followGate(known: readonly GateLine[], gate: GateStatus, now: number): GateLine {
  const { name, when, limit } = gate;
  const before = known.find((each) => each.name === name) ?? { every: 0, points: [] };
  const line: GateLine = { name, when, ...dropAbsent({ limit }), every: before.every, points: before.points };
  return addMeasurement(line, gate, now);
}

/** Lines of gates that the stage has no more stay as they are. */
function followGates(known: readonly GateLine[], gates: readonly GateStatus[], now: number): readonly GateLine[] {
  const names = new Set(gates.map(({ name }) => name));
  const followed = gates.map((gate) => followGate(known, gate, now));
  return [...known.filter(({ name }) => !names.has(name)), ...followed].slice(-mostGates);
}

/** The gates of its stage, if it is its campaign's newest open run: a campaign's status has the gates of that one. */
export function findRunGates(campaigns: readonly CampaignStatus[], id: string): readonly GateStatus[] | undefined {
  return campaigns.find(({ runs }) => runs.at(-1) === id)?.gates;
}

function listBatches({ campaigns = [], rollouts }: FleetStatus, id: string): readonly BatchInHand[] {
  const campaign = campaigns.find(({ runs }) => runs.includes(id));
  if (campaign !== undefined) {
    const own = campaign.rollouts.filter(({ run }) => run === id);
    return own.map(({ cluster, batch, of }) => ({ cluster, batch, of }));
  }
  return rollouts.filter(({ run }) => run === id).map(({ cluster }) => ({ cluster }));
}

/** A series that ends so much later than the status was written by a clock that was wrong, ms. */
const mostAhead = 10 * 60_000;

/** Without what a clock that was far ahead wrote: the course would stand until that time. */
function cutAhead(series: RunSeries, now: number): RunSeries {
  if (series.until === undefined || series.until - now <= mostAhead) return series;
  const { progress, gates, batches } = series;
  return {
    ...series,
    until: now,
    progress: { ...progress, points: progress.points.filter(({ t }) => t <= now) },
    gates: gates.map((line) => ({ ...line, points: line.points.filter(([t]) => t <= now) })),
    batches: batches.filter(({ from }) => from <= now).map((bar) => ({ ...bar, until: Math.min(bar.until, now) })),
  };
}

/**
 * The series with what this status says of the run; the same series where it does not have the run. Times never go back, also when
 * another planner's clock does, unless by far.
 */
export function addSample(before: RunSeries, status: FleetStatus, id: string): RunSeries {
  const run = status.runs.find((each) => each.id === id);
  if (run === undefined) return before;
  const series = cutAhead(before, parseTime(status.at));
  const t = Math.max(parseTime(status.at), series.until ?? 0);
  const { migrated, idle, migrating, pending, waiting, skippedTotal: skipped } = run;
  return {
    ...series,
    until: t,
    progress: addProgress(series, { t, migrated, idle, migrating, pending, waiting, skipped }),
    gates: followGates(series.gates, findRunGates(status.campaigns ?? [], id) ?? [], t),
    ...trackBatches(series, listBatches(status, id), t),
  };
}

/** The last point of an ended run, by what its record counts; what it had not finished is pending. */
export function endSeries(series: RunSeries, { counts, endedAt }: RecordReport): RunSeries {
  if (series.until === undefined || endedAt === undefined) return series;
  const t = Math.max(parseTime(endedAt), series.until);
  const ended = { ...series, until: t, batches: closeBars(series.batches, t) };
  if (counts === undefined) return ended;
  const { migrated, idle, skipped, left } = counts;
  return {
    ...ended,
    progress: addProgress(series, { t, migrated, idle, migrating: 0, pending: left, waiting: 0, skipped }),
  };
}
