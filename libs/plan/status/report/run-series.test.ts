import { makeRun } from "#test/world/build";
import { allMigrated, instantRun, makeInstant, type Progress, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import type { CampaignStatus } from "../campaign-status.ts";
import type { FleetStatus } from "../status.ts";
import type { RunSeries } from "./run-report.ts";
import { addSample, emptySeries, endSeries } from "./run-series.ts";

const base = statusOf(makeInstant());
const began = Date.parse(base.at);
const nothing: Progress = () => "pending";

/** A status that is so many seconds later. */
function later(status: FleetStatus, seconds: number): FleetStatus {
  return { ...status, at: new Date(began + 1000 * seconds).toISOString() };
}

function statusWith(progress: Progress, seconds: number): FleetStatus {
  return later(statusOf(makeInstant({ progress })), seconds);
}

function changeCampaign(status: FleetStatus, change: Partial<CampaignStatus>): FleetStatus {
  return { ...status, campaigns: (status.campaigns ?? []).map((each) => ({ ...each, ...change })) };
}

function gateAt(seconds: number, value: number, limit = 5): FleetStatus {
  const at = new Date(began + 1000 * seconds).toISOString();
  return changeCampaign(later(base, seconds + 1), {
    gates: [{ name: "errors", when: "during", status: "pass", at, value, limit }],
  });
}

function follow(statuses: readonly FleetStatus[]): RunSeries {
  return statuses.reduce((series, status) => addSample(series, status, instantRun), emptySeries);
}

describe("the course of a run", () => {
  it("has a point where a count changed, and holds until the newest sample", () => {
    const statuses = [
      statusWith(nothing, 0),
      statusWith(nothing, 5),
      statusWith(allMigrated, 9),
      statusWith(allMigrated, 30),
    ];
    const { progress, until } = follow(statuses);
    const total = statuses[0]?.runs[0]?.workloads;
    expect(progress.points.map(({ t, pending, migrated }) => [t - began, pending, migrated])).toEqual([
      [0, total, 0],
      [9000, 0, total],
    ]);
    expect(until).toBe(began + 30_000);
  });

  it("has the values that a gate measured, and its newest limit", () => {
    const { gates } = follow([gateAt(0, 1), gateAt(0, 1), gateAt(10, 1), gateAt(20, 3), gateAt(30, 2, 4)]);
    const points = [
      [began, 1],
      [began + 20_000, 3],
      [began + 30_000, 2],
    ];
    expect(gates).toEqual([{ name: "errors", when: "during", limit: 4, every: 0, points }]);
  });

  it("keeps the line of a gate that the stage has no more", () => {
    const { gates } = follow([gateAt(0, 1), changeCampaign(later(base, 20), { gates: [] })]);
    expect(gates.map(({ name, points }) => [name, points.length])).toEqual([["errors", 1]]);
  });

  it("has no gates of a campaign whose newest open run is another one", () => {
    const { gates } = follow([changeCampaign(gateAt(0, 1), { runs: [instantRun, "0123456789ab"] })]);
    expect(gates).toEqual([]);
  });

  it("has the batches of its campaign with their numbers", () => {
    const { batches } = follow([base, later(base, 7)]);
    const bar = { batch: 1, of: 1, from: began, until: began + 7000, open: true };
    expect(batches).toEqual([
      { cluster: "prod-use1-b", ...bar },
      { cluster: "prod-usw2-a", ...bar },
    ]);
  });

  it("has the clusters in which something rolls where it has no campaign", () => {
    const { batches } = follow([
      { ...base, campaigns: [], rollouts: [{ cluster: "one", run: instantRun, workloads: [] }] },
    ]);
    expect(batches).toEqual([{ cluster: "one", from: began, until: began, open: true }]);
  });

  it("is as it was after a status that does not have the run", () => {
    const series = follow([base]);
    expect(addSample(series, { ...later(base, 9), runs: [] }, instantRun)).toBe(series);
  });

  it("never goes back in time, also where another planner's clock does", () => {
    const { progress, until } = follow([statusWith(nothing, 60), statusWith(allMigrated, 0)]);
    expect(until).toBe(began + 60_000);
    expect(progress.points.map(({ t, pending }) => [t - began, pending])).toEqual([[60_000, 0]]);
  });
});

describe("a course that a clock far ahead wrote", () => {
  it.each([
    { name: "is cut, and continues now", ahead: 10 * 365 * 86_400, want: [0, 20], until: 20 },
    { name: "stands where it is minutes ahead", ahead: 300, want: [0, 300], until: 300 },
  ])("$name", ({ ahead, want, until }) => {
    const series = follow([statusWith(nothing, 0), statusWith(allMigrated, ahead), statusWith(allMigrated, 20)]);
    expect(series.progress.points.map(({ t }) => (t - began) / 1000)).toEqual(want);
    expect(series.until).toBe(began + 1000 * until);
    expect(series.batches.filter((bar) => bar.from > began + 1000 * until || bar.until > began + 1000 * until)).toEqual(
      [],
    );
  });
});

describe("the end of a run's course", () => {
  const endedAt = new Date(began + 60_000).toISOString();
  const { id, commit, subject, author, startedAt } = makeRun("a".repeat(40), "b".repeat(40));
  const record = { id, commit, subject, author, startedAt, state: "done", changes: [], gates: [] } as const;
  const counts = { workloads: 10, migrated: 7, idle: 0, skipped: 1, left: 2, failed: 0 };

  it("is what its record counts, and no batch is in hand any more", () => {
    const { progress, batches, until } = endSeries(follow([base]), { ...record, endedAt, counts });
    expect(progress.points.at(-1)).toEqual({
      t: began + 60_000,
      migrated: 7,
      idle: 0,
      migrating: 0,
      pending: 2,
      waiting: 0,
      skipped: 1,
    });
    expect([until, batches.map((each) => each.open)]).toEqual([began + 60_000, [undefined, undefined]]);
  });

  it("is its last sample where the record has no figures", () => {
    const series = follow([base]);
    expect(endSeries(series, { ...record, endedAt }).progress).toEqual(series.progress);
  });

  it("is unknown where no planner sampled the run", () => {
    expect(endSeries(emptySeries, { ...record, endedAt, counts })).toEqual(emptySeries);
  });
});
