import { addSample, describeReport, emptySeries, type RunReport } from "#libs/plan";
import { instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { nameRunKey, printRunReport, readRunKey, readRunReport } from "./run-report.ts";

function makeReport(): RunReport {
  const snapshot = makeInstant();
  const record = snapshot.ledger?.runs[instantRun];
  if (snapshot.ledger === undefined || record === undefined) throw new Error("the instant has no run");
  const status = statusOf(snapshot);
  return describeReport(record, snapshot.ledger, addSample(emptySeries, status, instantRun), { at: status.at, status });
}

const good = makeReport();
const [gate] = good.series.gates;

describe("the report of a run on the bus", () => {
  it("is read back whole", () => {
    expect(readRunReport(printRunReport(good))).toEqual(JSON.parse(JSON.stringify(good)));
    expect([good.now?.id, gate?.name]).toEqual([instantRun, "restarts"]);
  });

  it("has no text that controls a terminal, also when another program wrote it", () => {
    const dirty = { ...good, record: { ...good.record, subject: "\u001b[2Jgone\nall well" } };
    expect(readRunReport(JSON.stringify(dirty))?.record.subject).toBe("\\u001b[2Jgone\\nall well");
    expect(readRunReport(printRunReport(dirty))?.record.subject).toBe("\\u001b[2Jgone\\nall well");
  });

  it.each([
    { name: "an empty text", value: "" },
    { name: "no object", value: "[]" },
    { name: "another kind", value: JSON.stringify({ ...good, kind: "X" }) },
    { name: "no record", value: JSON.stringify({ ...good, record: undefined }) },
    { name: "no id of a run", value: JSON.stringify({ ...good, record: { ...good.record, id: "../x" } }) },
    {
      name: "points without numbers",
      value: JSON.stringify({ ...good, series: { ...good.series, progress: { every: 0, points: [{ t: "now" }] } } }),
    },
    { name: "a time that no date has", value: JSON.stringify({ ...good, series: { ...good.series, until: 8.7e15 } }) },
    { name: "a time before all dates", value: JSON.stringify({ ...good, series: { ...good.series, until: -1 } }) },
    {
      name: "a count below nothing",
      value: JSON.stringify({ ...good, series: { ...good.series, cutBatches: -1 } }),
    },
    {
      name: "thousands of bars",
      value: JSON.stringify({
        ...good,
        series: { ...good.series, batches: Array.from({ length: 2000 }, () => ({ cluster: "a", from: 0, until: 1 })) },
      }),
    },
    { name: "more than a value may have", value: " ".repeat(1 << 21) },
  ])("is none where it is $name", ({ value }) => expect(readRunReport(value)).toBe(undefined));

  it.each([
    { key: nameRunKey(instantRun), want: instantRun },
    { key: "runs.x", want: undefined },
    { key: "fleet", want: undefined },
    { key: `runs.${instantRun}.more`, want: undefined },
  ])("has the key $key", ({ key, want }) => expect(readRunKey(key)).toBe(want));
});
