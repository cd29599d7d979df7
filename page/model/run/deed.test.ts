import type { RecordReport, RunReport } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { nameDifference, readDeed } from "./deed.ts";

const counts = { workloads: 10, migrated: 7, idle: 1, skipped: 2, left: 0, failed: 1 };
const record = { id: "a", state: "done", listed: 9, counts } as unknown as RecordReport;
const now = {
  id: "a",
  listed: 9,
  leftover: 1,
  migrated: 3,
  idle: 0,
  migrating: 1,
  pending: 4,
  waiting: 2,
  skippedTotal: 2,
  clusters: [{ failed: 1 }, { failed: 0 }],
} as unknown as RunReport["now"];

describe("the list of a run against its deed", () => {
  it("is by its record once it ended", () => {
    expect(readDeed(record, undefined)).toEqual({
      listed: 9,
      moved: 7,
      idle: 1,
      skipped: 2,
      failed: 1,
      left: 0,
      leftover: 0,
    });
  });

  it("is by its present state while it is open", () => {
    expect(readDeed({ ...record, state: "open" }, now)).toEqual({
      listed: 9,
      moved: 3,
      idle: 0,
      skipped: 2,
      failed: 1,
      left: 7,
      leftover: 1,
    });
  });

  it("is not known where the record has no figures", () => {
    const { counts: _, ...bare } = record;
    expect(readDeed(bare, undefined)).toBe(undefined);
  });

  it("names a reason of a newer planner as it is", () => {
    expect([nameDifference("gone"), nameDifference("moonlight")]).toEqual(["gone before it was moved", "moonlight"]);
  });
});
