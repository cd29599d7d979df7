import type { RunReport, RunSeries } from "#libs/plan";

/** Without the times of the newest sample: a series that holds is no news. */
function printCourse(course: RunSeries): string {
  const { until: _, batches, ...series } = course;
  return JSON.stringify({ ...series, batches: batches.map((bar) => (bar.open === true ? { ...bar, until: 0 } : bar)) });
}

/** What readers would see change: all of a report but the times that grow with every sample. */
export function printReportNews({ series, ...report }: RunReport): string {
  return JSON.stringify({ ...report, at: "" }) + printCourse(series);
}
