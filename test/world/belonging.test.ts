import type { Campaign } from "#libs/campaign";
import { decide, type PlanRecord, type RunRecord, type Spec } from "#libs/plan";
import { expect, test } from "vitest";

import { makeCluster, makeLedger, makeSpec, makeSnapshot, noon, sha } from "./build.ts";
import { makeCampaign, makeStage, withCampaign } from "./campaigns/campaign.ts";
import { a, clusters } from "./decide-cases.ts";

const ramp = makeCampaign({ stages: [makeStage("five", 5), makeStage("half", 50), makeStage("all", 100)] });
const changes = [
  { pattern: "production", from: "new: 0, old: 100", to: "new: 50, old: 50", direction: "forward" as const },
];

/** The run that a commit starts which gives this percent to `new`. */
function startRun(
  percent: number,
  campaign: Campaign | undefined,
  plans: Readonly<Record<string, PlanRecord>> = {},
): RunRecord {
  const dress = (spec: Spec) => (campaign === undefined ? spec : withCampaign(spec, campaign));
  const [base, next] = [dress(makeSpec(sha("base"), 0)), dress(makeSpec(sha("next"), percent))];
  const point = { commit: { sha: next.commit, author: "ben", subject: "raise", at: noon }, spec: next };
  const snapshot = makeSnapshot({
    ledger: makeLedger({ plans }),
    specs: new Map([
      [base.commit, base],
      [next.commit, next],
    ]),
    main: { head: next.commit, ageMs: 0, contained: true, vanished: [], points: [point] },
    clusters: clusters(makeCluster("one", [a])),
  });
  const [start] = decide(snapshot);
  const started = start?.kind === "startRun" ? start.change.runs?.[0] : undefined;
  if (started === undefined) throw new Error(JSON.stringify(start));
  return started.run;
}

const belongings: readonly {
  readonly name: string;
  readonly percent: number;
  readonly campaign: Campaign | undefined;
  readonly want: readonly (string | undefined)[];
}[] = [
  {
    name: "1.5 without a campaign a run is a person's",
    percent: 50,
    campaign: undefined,
    want: [undefined, undefined],
  },
  { name: "1.5 a stage's commit is its run", percent: 50, campaign: ramp, want: ["up", "half"] },
  { name: "1.5 a skipped stage's shares are reached too", percent: 100, campaign: ramp, want: ["up", "all"] },
  {
    name: "1.5 a person's percentage between two stages gets the earlier stage's settings",
    percent: 30,
    campaign: ramp,
    want: ["up", "five"],
  },
  {
    name: "1.5 a percentage below the first stage gets the first stage's settings",
    percent: 3,
    campaign: ramp,
    want: ["up", "five"],
  },
  {
    name: "1.5 a run is not of a campaign that sets another bucket",
    percent: 50,
    campaign: makeCampaign({ stages: [{ ...makeStage("other", 50), set: { "pay-.*": 50 } }] }),
    want: [undefined, undefined],
  },
];
test.each(belongings)("$name", ({ percent, campaign, want }) => {
  const run = startRun(percent, campaign);
  expect([run.campaign, run.stage]).toEqual(want);
});

/** The list of stage `half`'s pull request. */
const plan = {
  head: "abc",
  campaign: "up",
  stage: "half",
  branch: "meshroll/up/half",
  at: "2026-11-19T12:00:00.000Z",
  changes: startRun(50, ramp).changes,
  digest: "sha256:1",
  list: "",
};
const lists: readonly { readonly name: string; readonly plans: readonly PlanRecord[]; readonly want?: string }[] = [
  { name: "the one of the pull request with the same changes", plans: [plan], want: "abc" },
  {
    name: "the newest of several",
    plans: [plan, { ...plan, head: "def", at: "2026-11-19T13:00:00.000Z" }],
    want: "def",
  },
  { name: "not one of another campaign", plans: [{ ...plan, campaign: "other" }] },
  { name: "not one of another stage", plans: [{ ...plan, stage: "all" }] },
  { name: "not one of another change", plans: [{ ...plan, changes }] },
];
test.each(lists)("10.2 the list of a run: $name", ({ plans, want }) => {
  const byHead = Object.fromEntries(plans.map((each) => [each.head, each]));
  expect(startRun(50, ramp, byHead).list).toBe(want);
});

test("6.1 the start of a campaign's run records the expected clusters and opens no wave", () => {
  const run = startRun(50, ramp);
  expect([run.clusters, run.expected]).toEqual([{}, ["one"]]);
});
