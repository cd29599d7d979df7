import { readRunReport } from "#libs/events";
import { addSample, describeReport, emptySeries, type RunReport } from "#libs/plan";
import { writeText } from "#libs/wording";
import { instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { fitReport, reportLimitBytes } from "./fit-report.ts";

function makeReport(): RunReport {
  const snapshot = makeInstant();
  const record = snapshot.ledger?.runs[instantRun];
  if (snapshot.ledger === undefined || record === undefined) throw new Error("the instant has no run");
  const status = statusOf(snapshot);
  return describeReport(record, snapshot.ledger, addSample(emptySeries, status, instantRun), { at: status.at, status });
}

const usual = makeReport();
const long = "ж".repeat(4000);
const skipped = Array.from({ length: 100 }, () => ({
  cluster: long,
  workload: long,
  code: "X",
  message: writeText(long),
}));
const changes = Array.from({ length: 400 }, () => ({ pattern: long, from: "", to: "", direction: "forward" as const }));
const batches = Array.from({ length: 300 }, () => ({ cluster: long, from: 0, until: 1 }));

const cases: readonly { name: string; report: RunReport; wantSkipped: number; wantBars: number }[] = [
  { name: "one that fits is whole", report: usual, wantSkipped: 0, wantBars: 2 },
  {
    name: "long lists are cut",
    report: { ...usual, record: { ...usual.record, skipped } },
    wantSkipped: 10,
    wantBars: 2,
  },
  {
    name: "thousands of changes are left out",
    report: { ...usual, record: { ...usual.record, changes, skipped } },
    wantSkipped: 0,
    wantBars: 2,
  },
  {
    name: "batches of clusters with very long names are left out",
    report: { ...usual, series: { ...usual.series, batches } },
    wantSkipped: 0,
    wantBars: 0,
  },
];

describe("a report that is too large for the bus", () => {
  it.each(cases)("$name", ({ report, wantSkipped, wantBars }) => {
    const text = fitReport(report);
    const read = readRunReport(text);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(reportLimitBytes);
    expect([read?.record.skipped?.length ?? 0, read?.series.batches.length]).toEqual([wantSkipped, wantBars]);
    expect(read?.series.progress).toEqual(report.series.progress);
  });

  it("has no token of a forge", () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    expect(fitReport({ ...usual, record: { ...usual.record, subject: token } })).not.toContain(token);
  });
});
