import { writeText } from "#libs/wording";
import { makeRun, makeSnapshot, sha } from "#test/world/build";
import { makeCampaign, makeStage } from "#test/world/campaigns/campaign";
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
