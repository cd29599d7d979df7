import type { Line } from "./run-report.ts";

/** The most points of a line. @internal */
export const mostPoints = 240;

/** Drops every second point; the first and the last stay. */
function halve<Point>({ points }: Line<Point>): readonly Point[] {
  return points.filter((_, at) => at % 2 === 0 || at === points.length - 1);
}

/** What `every` is after a line was full for the first time: its points had no order in time before. */
function findSpacing(every: number, from: number, until: number): number {
  return every === 0 ? Math.max(1, Math.ceil((2 * (until - from)) / mostPoints)) : 2 * every;
}

/**
 * Adds a point; `time` reads the time of one. A point at the time of the last one replaces it, and so does one while the last two are
 * closer than `every`: the newest value is always there. A full line keeps every second point, and the spacing doubles.
 */
export function addPoint<Point>(line: Line<Point>, point: Point, time: (point: Point) => number): Line<Point> {
  const { points, every } = line;
  const [earlier, last] = [points.at(-2), points.at(-1)];
  if (last !== undefined && time(point) < time(last)) return line;
  const isClose = last !== undefined && earlier !== undefined && time(last) - time(earlier) < every;
  const replaces = isClose || (last !== undefined && time(last) === time(point));
  const next = { every, points: [...(replaces ? points.slice(0, -1) : points), point] };
  const [first] = next.points;
  if (next.points.length <= mostPoints || first === undefined) return next;
  return { every: findSpacing(every, time(first), time(point)), points: halve(next) };
}
