import { writeText } from "#libs/wording";
import {
  makeCluster,
  makeMigrated,
  makeRun,
  makeSnapshot,
  makeWorkload,
  moved,
  noon,
  runId,
  sha,
} from "#test/world/build";
import { makeCampaign, makeStage } from "#test/world/campaigns/campaign";
import { hour, iso, seeCampaign } from "#test/world/campaigns/campaign-view";
import { makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { gates } from "#test/world/campaigns/gates";
import { specOf } from "#test/world/pull-request";
import { describe, expect, it } from "vitest";

import { renderReading } from "../gates/reading.ts";
import { describeGates, describeLeftOut, describeWhere, findStart } from "./campaign-figures.ts";

describe("the figures of a campaign", () => {
  it("an empty bucket without the target is at 0 of 0", () => {
    const head = specOf(sha("head"), "production: { old: 100 }\n");
    const evaluation = { judged: new Map(), views: [] };
    expect(describeWhere(makeCampaign(), undefined, head, evaluation)).toEqual([
      { bucket: "production", requested: 0, actual: 0, onTarget: 0, total: 0 },
    ]);
  });

  it("a cluster with the run's batch in hand is listed before anything moves; one with another run's is not", () => {
    const rollouts = (snapshot: ReturnType<typeof makeInstant>) => statusOf(snapshot).campaigns?.[0]?.rollouts;
    const snapshot = makeInstant({ progress: () => "pending" });
    expect(rollouts(snapshot)).toMatchObject([
      { cluster: "prod-use1-b", batch: 1, migrating: 0, workloads: [] },
      { cluster: "prod-usw2-a", batch: 1, migrating: 0, workloads: [] },
    ]);
    const other = [...snapshot.clusters].map(([name, each]) => {
      const batch = each.batch === undefined ? undefined : { ...each.batch, run: "aaaaaaaaaaaa" };
      return [name, { ...each, batch }] as const;
    });
    expect(rollouts({ ...snapshot, clusters: new Map(other) })).toEqual([]);
  });

  it("6.3 a gate has its present result, else the recorded one, else none yet", () => {
    const stage = makeStage("all", 100, { gates: [gates.restartHealth()] });
    const said = {
      verdict: "pass" as const,
      at: "2026-11-19T12:00:00.000Z",
      why: writeText("0 of 4 failed"),
      value: 0,
      limit: 0.5,
    };
    const run = makeRun(sha("head"), sha("base"), { gates: { g: said } });
    const { verdict: status, ...figures } = said;
    expect(describeGates(stage, run, new Map())).toEqual([{ name: "g", when: "during", status, ...figures }]);
    expect(describeGates(stage, undefined, new Map())).toEqual([{ name: "g", when: "during", status: "pending" }]);
    const found = { code: "TriedWorkloads", failed: 3, tried: 4, maxFailureRatio: 0.5 } as const;
    const asked = { kind: "restartHealth", run: run.id } as const;
    const reading = { verdict: "fail" as const, found, asked, value: 0.75, limit: 0.5 };
    expect(describeGates(stage, run, new Map([["g", reading]]))).toEqual([
      { name: "g", when: "during", status: "fail", ...renderReading(reading) },
    ]);
  });

  it("3.1 a permanent exclusion has no end, an ended one is not listed", () => {
    const { now } = makeSnapshot();
    const exclude = [undefined, now + 1, now].map((until, index) => {
      const one = { pattern: `p${index}`, matches: () => true, reason: "audit" };
      return until === undefined ? one : { ...one, until };
    });
    expect(describeLeftOut(makeCampaign({ exclude }), now)).toEqual([
      { pattern: "p0", reason: "audit" },
      { pattern: "p1", reason: "audit", until: new Date(now + 1).toISOString() },
    ]);
  });

  it("its start is that of its first run, whatever the order of records", () => {
    const at = (startedAt: string) => makeRun(sha("head"), sha("base"), { startedAt });
    const [first, last] = [at("2026-11-19T12:00:00.000Z"), at("2026-11-19T13:00:00.000Z")];
    expect([findStart([last, first]), findStart([first, last]), findStart([])]).toEqual([
      first.startedAt,
      first.startedAt,
      undefined,
    ]);
  });
});

describe("groups of VMs that are on the move", () => {
  const day = 24 * hour;
  const names = Array.from({ length: 8 }, (_, index) => `ns-${index}`);
  const begun = (name: string) =>
    moved(makeWorkload(`${name}/db`, { replicas: 20 }), "new", runId, {
      kind: "WorkloadGroup",
      updated: 0,
      times: { written: noon - hour },
      vms: { allowed: 2, upgrading: 0, failed: 0, unknown: 0, unhealthy: 0, outdated: 20, absent: 0 },
    });
  const see = (others: readonly ReturnType<typeof makeWorkload>[]) => {
    const clusters = new Map([["one", makeCluster("one", [...names.map(begun), ...others])]]);
    const { next, counts } = seeCampaign({ snapshot: { clusters } });
    return { first: next[0], counts };
  };

  it("the run ends when their last VM is due, whatever the pace of others was", () => {
    const api = names.map((name) => makeMigrated(makeWorkload(`${name}/api`), "new", runId));
    const { first, counts } = see(api);
    expect(first).toEqual({
      event: "BatchesEnd",
      // Rounded up to five minutes.
      at: iso(14 * day - hour + 2 * 60_000),
      isEstimate: true,
      text: `${counts.migrating} groups of VMs left, one VM after the other`,
    });
  });

  it("others that are left come in batches", () => {
    const { first, counts } = see(names.map((name) => makeWorkload(`${name}/api`)));
    const left = counts.migrating + counts.pending;
    expect(first?.text).toBe(`${left} workloads left, in batches; ${counts.migrating} of them groups of VMs`);
  });

  it("are counted where the run works", () => {
    const clusters = new Map([["one", makeCluster("one", [begun("ns-0"), begun("ns-1"), begun("ns-2")])]]);
    const [rollouts] = seeCampaign({ snapshot: { clusters } }).rollouts;
    const names = rollouts?.vms?.map(({ workload }) => workload);
    expect(names).toEqual(rollouts?.workloads);
    expect(rollouts?.vms?.[0]).toMatchObject({ vms: 20, outdated: 20, allowed: 2, upgrading: 0 });
  });
});
