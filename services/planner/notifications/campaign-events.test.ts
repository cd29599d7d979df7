import { builtInSettings, type Campaign } from "#libs/campaign";
import { readEvent } from "#libs/events";
import type { LedgerChange, LedgerState, RunRecord, StagePull, Snapshot } from "#libs/plan";
import { writeText } from "#libs/wording";
import { makeLedger, makeRun, makeSnapshot, runId, sha } from "#test/world/build";
import { describe, expect, test } from "vitest";

import { describeTransition } from "./describe-transition.ts";

const belongs = { campaign: "istio-new", stage: "prod-100" };

function campaignOf(share: number, autoMerge?: { readonly notice: number }): Campaign {
  const settings = { ...builtInSettings, approvals: { required: 2, from: ["team:mesh"], allowAuthor: false } };
  const stage = { ...settings, ...(autoMerge === undefined ? {} : { autoMerge }) };
  return {
    name: "istio-new",
    file: "campaigns/istio-new.yml",
    target: "new",
    replaces: ["old"],
    owners: [],
    exclude: [],
    clusters: { order: [], delayBetweenWaves: 0 },
    stages: [{ name: "prod-100", set: { production: share }, settings: stage, line: 1 }],
  };
}

const branch = "meshroll/istio-new/prod-100";
const pull: StagePull = { branch, number: 8, url: "https://scm.example/8", state: "open", headSha: sha("plan") };

function snapshotOf(campaign: Campaign, ledger: LedgerState): Snapshot {
  const base = makeSnapshot({ ledger, pulls: new Map([[branch, pull]]) });
  const head = base.specs.get(sha("head"));
  if (head === undefined) throw new Error("no head");
  return {
    ...base,
    specs: new Map([...base.specs, [sha("head"), { ...head, campaigns: new Map([[campaign.name, campaign]]) }]]),
  };
}

function runOf(change: Partial<RunRecord> = {}): RunRecord {
  return makeRun(sha("head"), sha("base"), { ...belongs, ...change });
}

function ledgerOf(...runs: readonly RunRecord[]): LedgerState {
  return makeLedger({ main: sha("head"), sequence: 7, runs: Object.fromEntries(runs.map((run) => [run.id, run])) });
}

/** The events of a change, as read back from the bus. */
function describeEvents(change: Partial<LedgerChange>, campaign = campaignOf(100), before = ledgerOf(runOf())) {
  const snapshot = { ...snapshotOf(campaign, before), ledger: before };
  const events = describeTransition(snapshot, { sequence: 7, main: sha("head"), ...change });
  for (const event of events) expect(readEvent(JSON.stringify(event))).toEqual(event);
  return events.map(({ type, id, data }) => ({ type, id, data }));
}

const plan = {
  head: sha("plan"),
  ...belongs,
  branch,
  at: "2026-11-19T12:00:00.000Z",
  changes: [],
  digest: "sha256:0",
  list: "one\tshop\tDeployment/a\none\tshop\tDeployment/b\n",
};

const proposed = { plans: [{ plan, step: "stageProposed" as const }] };

describe("people are notified", () => {
  test("of a proposed stage: its pull request, how many move, who must approve, and after which run", () => {
    const data = { ...belongs, pull: 8, url: pull.url, workloads: 2, approvals: 2, from: ["team:mesh"], after: runId };
    const told = describeEvents(proposed);
    expect(told).toEqual([{ type: "stage.v1.proposed", id: "stage-8-7", data }]);
  });

  test("of a stage that merges itself, and when: each new head starts the notice again", () => {
    const campaign = campaignOf(100, { notice: 1_800_000 });
    const mergesAt = "2026-11-19T12:30:00.000Z";
    const data = { ...belongs, pull: 8, url: pull.url, workloads: 2, mergesAt, after: runId };
    const want = [{ type: "stage.v1.autoMerge", id: "autoMerge-8-7", data }];
    expect(describeEvents(proposed, campaign)).toEqual(want);
    expect(describeEvents({ plans: [{ plan, step: "headProposed" }] }, campaign)).toEqual(want);
    expect(describeEvents({ plans: [{ plan, step: "relisted" }] }, campaign)).toEqual([]);
  });

  test("but not of a new head of the same branch", () => {
    expect(describeEvents({ plans: [{ plan, step: "headProposed" }] })).toEqual([]);
  });

  test("6.1 of a wave that is done", () => {
    const steps = [{ kind: "wavesClosed" as const, clusters: ["one", "two"] }];
    expect(describeEvents({ runs: [{ run: runOf(), steps }] })).toEqual([
      {
        type: "run.v1.waveClosed",
        id: `waveClosed-${runId}-one-two-7`,
        data: { run: runId, clusters: ["one", "two"], ...belongs },
      },
    ]);
  });

  test("6.2 of each step of a bake, with its sum", () => {
    const bake = {
      beganAt: "",
      neededMs: 100,
      healthyMs: 40,
      savedAt: "",
      paused: { code: "BakeUnseen", message: writeText("one is not seen") },
    };
    const run = runOf({ bake });
    const told = describeEvents({ runs: [{ run, steps: [{ kind: "bakeSaved", step: "paused" }] }] });
    const data = { run: runId, step: "paused", healthyMs: 40, neededMs: 100, why: "one is not seen", ...belongs };
    expect(told).toEqual([{ type: "run.v1.bake", id: `bake-${runId}-paused-7`, data }]);
  });

  test("6.3 of a gate's verdict, with value and limit", () => {
    const said = { verdict: "fail", at: "", why: writeText("3 % of at most 2 %"), value: 0.03, limit: 0.02 } as const;
    const run = runOf({ gates: { "error-rate": said } });
    const [event] = describeEvents({ runs: [{ run, steps: [{ kind: "gateJudged", gate: "error-rate" }] }] });
    const { at: _, ...shown } = said;
    expect(event?.data).toEqual({ run: runId, gate: "error-rate", ...shown, ...belongs });
  });
});

describe("a campaign is complete", () => {
  const skipped = [
    { cluster: "one", workload: "shop/Deployment/a", code: "ReadinessTimeout", message: writeText("ReadinessTimeout") },
  ];
  const ended = runOf({ state: "done", outcome: { migrated: 1, skipped, seen: ["one"], differences: [] } });
  const finish = (campaign: Campaign, ...others: readonly RunRecord[]) =>
    describeEvents(
      { runs: [{ run: ended, steps: [{ kind: "ended" }] }] },
      campaign,
      ledgerOf(runOf(), ...others),
    ).filter(({ type }) => type === "campaign.v1.completed");

  test("when its last stage is reached and its runs are over", () => {
    const data = { campaign: "istio-new", target: "new", runs: [runId], skipped: 1 };
    expect(finish(campaignOf(100))).toEqual([
      { type: "campaign.v1.completed", id: `campaign-istio-new-${runId}-7`, data },
    ]);
  });

  test("what a rolled back run and its rollback skipped does not count", () => {
    const other = { cluster: "one", workload: "shop/Deployment/b", code: "x", message: writeText("x") };
    const outcome = { migrated: 1, skipped: [other], seen: ["one"] };
    const share = { pattern: "production", from: "old: 100", to: "new: 100" };
    const [raise, lower] = [
      { ...share, direction: "forward" as const },
      { ...share, from: share.to, to: share.from, direction: "rollback" as const },
    ];
    const done = { ...belongs, state: "done" as const, outcome };
    const first = makeRun(sha("first"), sha("base"), { ...done, order: -2, changes: [raise] });
    const back = makeRun(sha("back"), sha("first"), { ...done, order: -1, changes: [lower] });
    const [told] = finish(campaignOf(100), first, back);
    expect(told?.data).toMatchObject({ skipped: 1 });
    expect(finish(campaignOf(100), first)[0]?.data).toMatchObject({ skipped: 2 });
  });

  test("not while another of its runs is open", () => {
    expect(finish(campaignOf(100), makeRun(sha("later"), sha("head"), { ...belongs, order: 2 }))).toEqual([]);
  });

  test("not while main gives less than its last stage", () => {
    const campaign = campaignOf(100);
    const [stage] = campaign.stages;
    if (stage === undefined) throw new Error("no stage");
    expect(finish({ ...campaign, target: "newer" })).toEqual([]);
  });
});
