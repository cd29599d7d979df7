import type { ProgressPoint } from "#libs/plan";

import { printCount } from "../count.ts";

/** What the chart of progress draws: at each time, how many workloads are done, done or skipped, and all. */
export interface CourseData {
  readonly times: readonly number[];
  readonly done: readonly number[];
  readonly settled: readonly number[];
  readonly all: readonly number[];
}

/** The shortest time that an axis shows, ms. */
const leastSpan = 60_000;

/** A time axis, epoch ms. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** One axis for all charts of a run. It grows in steps, so that charts do not move with each status. */
export function makeSpan(startedAt: number, until: number): Span {
  const step = Math.max(1000, 10 ** Math.floor(Math.log10(Math.max(1, until - startedAt))) / 20);
  const end = startedAt + Math.ceil((until - startedAt) / step) * step;
  return { from: startedAt, until: Math.max(end, startedAt + leastSpan) };
}

function countLeft({ migrating, pending, waiting }: Omit<ProgressPoint, "t">): number {
  return migrating + pending + waiting;
}

/** A point holds until the next one, and the last one until `until`. */
export function layOutCourse(points: readonly ProgressPoint[], until: number): CourseData {
  const last = points.at(-1);
  const all = last === undefined || last.t >= until ? points : [...points, { ...last, t: until }];
  const settled = ({ migrated, idle, skipped }: ProgressPoint) => migrated + idle + skipped;
  return {
    times: all.map(({ t }) => t),
    done: all.map(({ migrated, idle }) => migrated + idle),
    settled: all.map(settled),
    all: all.map((point) => settled(point) + countLeft(point)),
  };
}

/** The chart in a sentence. */
export function describeProgress(now: Omit<ProgressPoint, "t">): string {
  const { migrated, idle, skipped } = now;
  const left = countLeft(now);
  const total = migrated + idle + skipped + left;
  const parts = [
    `${migrated.toLocaleString("en-US")} of ${printCount(total, "workload")} migrated`,
    ...(idle > 0 ? [`${idle.toLocaleString("en-US")} idle`] : []),
    `${skipped.toLocaleString("en-US")} skipped`,
    `${left.toLocaleString("en-US")} left`,
  ];
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
