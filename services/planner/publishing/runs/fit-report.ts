import { printRunReport } from "#libs/events";
import type { RunReport } from "#libs/plan";
import { redactJson } from "#libs/runtime";

/** NATS refuses values above 1 MiB; redacting a token may still make the text longer. @internal */
export const reportLimitBytes = 900 * 1024;

type Fit = (report: RunReport) => RunReport;

/** With so many skipped workloads, and so many for each reason of a difference. */
function shortenTo(most: number): Fit {
  return ({ record, now, ...rest }) => {
    const { skipped, differences } = record;
    return {
      ...rest,
      record: {
        ...record,
        ...(skipped === undefined ? {} : { skipped: skipped.slice(0, most) }),
        ...(differences === undefined
          ? {}
          : { differences: differences.map((each) => ({ ...each, items: each.items.slice(0, most) })) }),
      },
      ...(now === undefined ? {} : { now: { ...now, skipped: now.skipped.slice(0, most) } }),
    };
  };
}

/** The figures of the ledger, and the course: a fleet of thousands of clusters has a row for each. */
const keepFigures: Fit = (report) => {
  const { now: _, ...rest } = shortenTo(0)(report);
  return { ...rest, record: { ...rest.record, changes: [] } };
};

/** The course has bounded numbers, but clusters and gates may have long names. */
const keepRecord: Fit = (report) => {
  const { gates: _, ...rest } = keepFigures(report);
  return { ...rest, series: { ...rest.series, gates: [], batches: [] } };
};

/** Tried in this order until the text fits; counts of what was cut stay. */
const steps: readonly Fit[] = [shortenTo(10), keepFigures, keepRecord];

/** A report as text that fits into one value of the bus. */
export function fitReport(report: RunReport): string {
  let text = redactJson(printRunReport(report));
  for (const fit of steps) {
    if (Buffer.byteLength(text) <= reportLimitBytes) return text;
    text = redactJson(printRunReport(fit(report)));
  }
  return text;
}
