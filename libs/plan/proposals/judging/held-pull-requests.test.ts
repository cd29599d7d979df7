import { judgeChanges, judgePullRequest, type MergedFiles, type StopRecord } from "#libs/plan";
import { readVerdict } from "#test/world/words";
import { makeLedger, makeRun, makeStop, sha } from "#test/world/build";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaigns/campaign";
import { request, baseSha, before, filesOf, half, mainSha, more, run, specOf } from "#test/world/pull-request";
import { describe, expect, it } from "vitest";

describe("10.1 a held pull request's meshroll/plan is red", () => {
  const cases: readonly {
    readonly name: string;
    readonly stop: StopRecord;
    readonly wantHeld: boolean;
    readonly wantResume?: string;
  }[] = [
    {
      name: "by a hold on all",
      stop: makeStop({ id: "s", scope: "all", strength: "propose", who: "ben", why: "INC-1" }),
      wantHeld: true,
      wantResume: 'meshroll unhold all --reason "…"',
    },
    {
      name: "by a pause of its bucket",
      stop: makeStop({ id: "s", scope: "bucket/production", who: "ben", why: "INC-1" }),
      wantHeld: true,
      wantResume: 'meshroll resume bucket/production --reason "…"',
    },
    {
      name: "by the hold that a rollback of its bucket left",
      stop: makeStop({
        id: "return-x-1",
        scope: "bucket/production",
        cause: "rolledBack",
        rollbackOf: "x",
        who: "ben",
        why: "INC-1",
      }),
      wantHeld: true,
      wantResume: 'meshroll unhold bucket/production --reason "…"',
    },
    {
      name: "by a rollback of its bucket that main does not have yet",
      stop: makeStop({
        id: "s",
        scope: `run/${run.id}`,
        cause: "rollback",
        revertTo: baseSha,
        who: "ben",
        why: "INC-1",
      }),
      wantHeld: true,
    },
    {
      name: "not by a pause of another bucket",
      stop: makeStop({ id: "s", scope: "bucket/.*-stg" }),
      wantHeld: false,
    },
    { name: "not by a pause of a run", stop: makeStop({ id: "s", scope: `run/${run.id}` }), wantHeld: false },
  ];
  for (const { name, stop, wantHeld, wantResume } of cases) {
    it(`${name}`, () => {
      const { plan } = readVerdict(judgePullRequest(request(filesOf(more), { stops: [stop] })));
      expect([plan.state, plan.title === "held by ben: INC-1"]).toEqual([wantHeld ? "failure" : "success", wantHeld]);
      expect(plan.summary).toContain(wantResume ?? "");
      expect(plan.summary).toContain("Moves **");
    });
  }

  it("by a hold on any of its buckets, and each holder is named in the summary", () => {
    const both = more.replace(".*-stg:\n  old: 50\n  new: 50", ".*-stg:\n  old: 0\n  new: 100");
    const hold = makeStop({ id: "a", scope: "bucket/.*-stg", strength: "propose", who: "ben", why: "INC-1" });
    const pause = makeStop({ id: "b", scope: "all", who: "cleo", why: "lunch", until: "2026-11-19T13:00:00.000Z" });
    const back = makeStop({ id: "c", scope: "bucket/production", who: "dan", why: "it was red", rollbackOf: "x" });
    const { plan } = readVerdict(judgePullRequest(request(filesOf(both), { stops: [hold, pause, back] })));
    expect(plan.title).toBe("held by ben: INC-1 (and 2 more)");
    expect(plan.summary).toContain("- hold on `bucket/.*-stg` by **ben**: INC-1  \n");
    expect(plan.summary).toContain("- pause on `all` by **cleo**, until 2026-11-19T13:00:00.000Z: lunch  \n");
    expect(plan.summary).toContain("- hold of the rollback `x` on `bucket/production` by **dan**: it was red  \n");
  });

  it("by a hold on a campaign that sets one of its buckets in one of its stages", () => {
    const stages = [
      { ...makeStage("stg", 100), set: { ".*-stg": 100 } },
      { ...makeStage("both", 100), set: { production: 100, ".*-stg": 100 } },
    ];
    const main = withCampaign(specOf(mainSha, half), makeCampaign({ stages }));
    const stop = makeStop({ id: "s", scope: "campaign/up", strength: "propose", who: "ben", why: "INC-1" });
    const title = (files: MergedFiles, each: StopRecord) =>
      readVerdict(judgePullRequest(request(files, { main, stops: [each] }))).plan.title;
    expect(title(filesOf(more), stop)).toBe("held by ben: INC-1");
    expect(title(filesOf(`${half}pay-.*:\n  old: 0\n  new: 100\n`), stop)).not.toMatch(/^held/u);
    expect(title(filesOf(more), { ...stop, scope: "campaign/other" })).not.toMatch(/^held/u);
  });

  it("from the moment a stop is requested, before it is recorded", () => {
    const asked = { id: "a", verb: "stop", scope: "all", strength: "move", who: "ben", why: "now", at: "" } as const;
    const { plan } = readVerdict(judgePullRequest(request(filesOf(more), { snapshot: { requests: [asked] } })));
    expect(plan).toMatchObject({ state: "failure", title: "held by ben: now" });
  });
});

describe("2.2 a pull request that rolls back to what main had", () => {
  const everything = makeStop({ id: "s", scope: "all", strength: "propose" });

  it.each([
    { name: "one by people needs an approval", own: undefined, approvals: "pending" },
    { name: "one by meshroll needs no approval", own: "rollback" as const, approvals: "success" },
  ])("is held by nothing; $name", ({ own, approvals }) => {
    const hold = makeStop({ id: "return-x-1", scope: "bucket/production", cause: "rolledBack", rollbackOf: "x" });
    const verdict = readVerdict(
      judgePullRequest(request(filesOf(before), { stops: [everything, hold], ...(own === undefined ? {} : { own }) })),
    );
    expect(verdict.isRollback).toBe(true);
    expect([verdict.plan.state, verdict.approvals.state]).toEqual(["success", approvals]);
    expect(verdict.plan.summary).toContain("restores what main had before");
  });

  it("is no rollback if another bucket goes forward: it is held, and needs an approval", () => {
    const mixed = before.replace(".*-stg:\n  old: 50\n  new: 50", ".*-stg:\n  old: 0\n  new: 100");
    const verdict = readVerdict(judgePullRequest(request(filesOf(mixed), { stops: [everything] })));
    expect(verdict.isRollback).toBe(false);
    expect([verdict.plan.state, verdict.approvals.state]).toEqual(["failure", "pending"]);
  });

  describe("is no rollback if a workload goes forward: it is held, and needs an approval", () => {
    const percent = (share: number) => `production:\n  old: ${100 - share}\n  new: ${share}\n`;
    const cases = [
      {
        name: "a share goes up again to what was lowered",
        had: [percent(0), percent(100), percent(20)],
        next: percent(100),
      },
      {
        name: "a bucket is removed that had rolled a workload back",
        had: [percent(0), percent(100), `${percent(100)}(a|b|c|d):\n  old: 100\n`],
        next: percent(100),
      },
      {
        name: "a bucket is removed that stayed at the old share while others moved",
        had: [`${percent(0)}`, `${percent(0)}(a|b|c|d):\n  old: 100\n`, `${percent(100)}(a|b|c|d):\n  old: 100\n`],
        next: percent(100),
      },
    ];
    it.each(cases)("$name", ({ had, next }) => {
      const specs = had.map((text, index) => specOf(index === 2 ? mainSha : sha(`c${index}`), text));
      let ledger = makeLedger({ main: mainSha, judged: mainSha, stops: { s: everything } });
      for (const [index, after] of specs.entries()) {
        const earlier = specs[index - 1];
        if (earlier === undefined) continue;
        const changes = judgeChanges(ledger, earlier, after);
        const made = makeRun(after.commit, earlier.commit, { order: index, changes });
        ledger = { ...ledger, runs: { ...ledger.runs, [made.id]: made } };
      }
      const [main] = specs.slice(-1);
      const verdict = readVerdict(
        judgePullRequest(
          request(filesOf(next), { snapshot: { ledger, specs: new Map([[mainSha, main ?? specOf(mainSha, next)]]) } }),
        ),
      );
      expect([verdict.isRollback, verdict.plan.state, verdict.approvals.state]).toEqual([false, "failure", "pending"]);
    });
  });

  it("is no rollback if settings change too", () => {
    const verdict = readVerdict(judgePullRequest(request(filesOf(before, "defaults:\n  batch: { batchSize: 50 }\n"))));
    expect([verdict.isRollback, verdict.approvals.state]).toEqual([false, "pending"]);
  });

  it("is no rollback before meshroll init, because main's history is unknown", () => {
    const verdict = readVerdict(judgePullRequest(request(filesOf(before), { snapshot: { ledger: undefined } })));
    expect(verdict.isRollback).toBe(false);
  });
});
