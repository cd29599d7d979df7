import type { FleetStatus, RecordReport, RunReport } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { layOutGate, listRunGates } from "./run-gates.ts";

const line = {
  name: "errors",
  when: "during",
  limit: 5,
  every: 0,
  points: [
    [10, 1],
    [20, 7],
  ],
} as const;
const record = {
  id: "a",
  state: "open",
  gates: [{ name: "errors", verdict: "pass", at: "2026-11-19T12:00:00.000Z", value: 1 }],
} as unknown as RecordReport;
const report = {
  gates: [{ name: "errors", when: "during", status: "fail", value: 7 }],
  series: { gates: [line] },
} as unknown as RunReport;
const fleetWith = (runs: readonly string[]) =>
  ({ campaigns: [{ runs, gates: [{ name: "errors", when: "during", status: "noData" }] }] }) as unknown as FleetStatus;

describe("the gates of a run", () => {
  it.each([
    { name: "as the status has them", record, report, fleet: fleetWith(["a"]), want: ["during", "noData"] },
    {
      name: "as its report has them, where another run is the newest",
      record,
      report,
      fleet: fleetWith(["a", "b"]),
      want: ["during", "fail"],
    },
    {
      name: "as recorded, once it ended",
      record: { ...record, state: "done" as const },
      report,
      fleet: undefined,
      want: ["during", "pass"],
    },
    { name: "as recorded, without a report", record, report: undefined, fleet: undefined, want: [undefined, "pass"] },
  ])("are shown $name", ({ record: own, report: known, fleet, want }) => {
    const [gate] = listRunGates(own, known, fleet);
    expect([gate?.when, gate?.status]).toEqual(want);
  });
});

describe("the values of a gate over time", () => {
  const span = { from: 0, until: 100 };
  it("hold until the end of what is known", () => {
    expect(layOutGate(line, 50, span)).toEqual({
      times: [10, 20, 50],
      values: [1, 7, 7],
      bottom: 0,
      top: 7,
      sentence: "errors: latest 7, highest 7, limit 5",
    });
  });

  it("leave room for a limit that was never reached", () => {
    expect(layOutGate({ ...line, points: [[10, 1]] }, 50, span).top).toBe(5);
  });

  it.each([
    { name: "zero", points: [[10, 1]] as const, limit: 5, want: 0 },
    {
      name: "a little below the lowest, where all is near the limit",
      points: [[10, 1]] as const,
      limit: 0.9,
      want: 0.8,
    },
    { name: "a little below one value alone", points: [[10, 100]] as const, limit: 100, want: 99 },
    { name: "the lowest where that is negative", points: [[10, -3]] as const, limit: 5, want: -3 },
  ])("begin at $name", ({ points, limit, want }) => {
    expect(layOutGate({ ...line, points, limit }, 50, span).bottom).toBeCloseTo(want);
  });

  it("may be without a limit", () => {
    const { limit: _, ...unbounded } = line;
    expect(layOutGate({ ...unbounded, points: [[10, 0.12345]] }, 50, span).sentence).toBe(
      "errors: latest 0.1235, highest 0.1235, no limit",
    );
  });
});
