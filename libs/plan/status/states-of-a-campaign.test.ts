import type { CampaignStatus, RunRecord, Spec, StagePull, StopRecord, Snapshot } from "#libs/plan";
import { decide, describeFleet, evaluateFleet } from "#libs/plan";
import {
  makeMigrated,
  makeCluster,
  makeLedger,
  makeRun,
  makeStop,
  makeWorkload,
  makeSnapshot,
  sha,
} from "#test/world/build";
import { makeCampaign, makeStage } from "#test/world/campaigns/campaign";
import { clusters } from "#test/world/decide-cases";
import { specOf } from "#test/world/pull-request";
import { describe, expect, test } from "vitest";

const [base, head] = [sha("base"), sha("head")];
const batch = { ...makeStage("x", 1).settings.batch, batchSize: 7 };
const stage = (bucket: string, name: string, percent: number) => ({
  ...makeStage(name, percent, { rollbackBatch: batch }),
  set: { [bucket]: percent },
});
const pay = makeCampaign({ name: "pay", file: "campaigns/pay.yml", stages: [stage("pay-.*", "all", 100)] });
const shop = makeCampaign({
  name: "shop",
  file: "campaigns/shop.yml",
  stages: [
    stage("production", "all", 100),
    { ...stage("production", "never", 100), settings: makeStage("x", 1).settings },
  ],
});
const text = (one: number, two: number) =>
  `production:\n  old: ${100 - one}\n  new: ${one}\npay-.*:\n  old: ${100 - two}\n  new: ${two}\n`;
const specs = (percent: number) =>
  [specOf(base, text(0, 0)), specOf(head, text(percent, 0))].map((spec): Spec => ({
    ...spec,
    campaigns: new Map([shop, pay].map((each) => [each.name, each])),
  }));
const changes = [{ pattern: "production", from: "a", to: "b", direction: "forward" as const }];
const run = makeRun(head, base, { campaign: "shop", stage: "all", changes });
const pull = (name: string, number: number, state: StagePull["state"] = "open"): StagePull => ({
  branch: `meshroll/${name}`,
  number,
  url: `https://github.com/acme/rollouts/pull/${number}`,
  state,
  headSha: String(number).repeat(40),
});

interface DecisionContext {
  readonly runs?: readonly RunRecord[];
  readonly stops?: readonly StopRecord[];
  readonly pulls?: readonly StagePull[];
  readonly percent?: number;
  readonly snapshot?: Partial<Snapshot>;
}

/** The states of both campaigns in a status: `shop` has run, `pay` has not. */
function see({
  runs = [run],
  stops = [],
  pulls = [],
  percent = 100,
  snapshot,
}: DecisionContext): readonly CampaignStatus[] {
  const read = specs(percent);
  const reconciled = makeSnapshot({
    specs: new Map(read.map((spec) => [spec.commit, spec])),
    ledger: makeLedger({
      main: head,
      judged: head,
      runs: Object.fromEntries(runs.map((each) => [each.id, each])),
      stops: Object.fromEntries(stops.map((each) => [each.id, each])),
    }),
    clusters: clusters(
      makeCluster("one", [makeMigrated(makeWorkload("web/a"), "new", run.id), makeWorkload("pay-a/b")]),
    ),
    pulls: new Map(pulls.map((each) => [each.branch, each])),
    ...snapshot,
  });
  const spec = read[1];
  if (spec === undefined) throw new Error("no head");
  const { judged, views } = evaluateFleet(reconciled, spec);
  return describeFleet(reconciled, spec, judged, views, decide(reconciled)).campaigns ?? [];
}

describe("every unfinished campaign", () => {
  test("by name, each with its own runs only", () => {
    const told = see({}).map(({ name, runs, state, startedAt }) => [name, runs, state, startedAt]);
    expect(told).toEqual([
      ["pay", [], "Idle", undefined],
      ["shop", [run.id], "InProgress", run.startedAt],
    ]);
  });

  test("names the newest run of a stage", () => {
    const newer = { ...run, id: "bbbbbbbbbbbb", order: 2 };
    const [first, second] = [see({ runs: [run, newer] }), see({ runs: [newer, run] })].map(
      (told) => told[1]?.stages[0]?.run,
    );
    expect([first, second]).toEqual([newer.id, newer.id]);
  });

  test("is complete once every stage is reached and no run is open", () => {
    const states = (each: DecisionContext) => see(each).map(({ state }) => state);
    expect(states({ runs: [{ ...run, state: "done" }] })).toEqual(["Idle", "Completed"]);
    const late = specOf(sha("late"), text(100, 0));
    const commit = { sha: late.commit, author: "ana", subject: "all of them", at: 0 };
    const main = { head, ageMs: 0, contained: true, vanished: [], points: [{ commit, spec: late }] };
    expect(states({ runs: [{ ...run, state: "done" }], snapshot: { main } })).toEqual(["Idle", "InProgress"]);
    expect(states({ runs: [{ ...run, state: "gone" }], percent: 0 })).toEqual(["Idle", "Idle"]);
    expect(states({ runs: [{ ...run, state: "done" }], percent: 0 })).toEqual(["Idle", "InProgress"]);
  });

  test("has failed exactly while an automatic stop is in force on one of its runs", () => {
    const states = (change: Partial<StopRecord>) =>
      see({ stops: [makeStop({ id: "s", scope: `run/${run.id}`, ...change })] }).map(({ state }) => state);
    expect(states({ cause: "failures" })).toEqual(["Idle", "Failed"]);
    expect(states({ cause: "rollback" })).toEqual(["Idle", "Failed"]);
    expect(states({ cause: "verb" })).toEqual(["Idle", "InProgress"]);
    expect(states({ cause: "failures", scope: "campaign/shop" })).toEqual(["Idle", "InProgress"]);
  });

  test("7.1 is bound by stops on all, on it, its runs, its buckets and their clusters", () => {
    const scopes = [
      "all",
      "campaign/pay",
      "campaign/shop",
      `run/${run.id}`,
      "bucket/production",
      "bucket/pay-.*",
    ] as const;
    const more = ["cluster/one", "cluster/two", "namespace/web", "run/aaaaaaaaaaaa"] as const;
    const stops = [...scopes, ...more].map((scope, index) => makeStop({ id: `s${index}`, scope }));
    expect(see({ stops }).map((each) => each.stops.map(({ scope }) => scope))).toEqual([
      ["all", "campaign/pay", "bucket/pay-.*"],
      ["all", "campaign/shop", `run/${run.id}`, "bucket/production", "cluster/one"],
    ]);
  });

  test("has its own newest pull request, of the stage that comes next", () => {
    const pulls = [
      pull("pay/all", 3, "closed"),
      pull("pay/all-2", 5),
      pull("shop/all", 9, "merged"),
      pull("other/all", 11),
    ];
    expect(see({ pulls }).map((each) => each.pull?.number)).toEqual([5, 9]);
    expect(see({ pulls: [pull("other/all", 11)] }).map((each) => each.pull)).toEqual([undefined, undefined]);
  });

  test("2.2 an undo has the batch size of the stage that ran, and counts the migrated workloads", () => {
    const [, told] = see({ runs: [{ ...run, state: "done", outcome: { migrated: 41, skipped: [], seen: [] } }] });
    expect(told?.undo.effect).toContain("up to 41 workloads, 7 at a time in each cluster");
  });
});
