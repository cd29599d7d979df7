import type { Settings } from "#libs/campaign";
import type { Decision } from "#libs/plan";
import { makeRun, makeSpec, makeSnapshot, noon, sha } from "#test/world/build";
import { makeCampaign, makeStage } from "#test/world/campaigns/campaign";
import { printText, type Reason } from "#libs/wording";
import { describe, expect, it } from "vitest";

import type { PullStatus } from "./campaign-status.ts";
import { listCampaignWaits, type WaitQuestion } from "./campaign-waits.ts";
import type { RunView } from "../index/run-view.ts";
import type { StopStatus } from "../stops/status-stops.ts";

const campaign = makeCampaign();
const run = makeRun(sha("head"), sha("base"));
const view: RunView = { run, clusters: new Map() };

function verdictOf(settings: Partial<Settings> = {}): WaitQuestion["verdict"] {
  const stage = makeStage("all", 100, settings);
  return { kind: "propose", campaign, stage, branch: "meshroll/up/all", changes: [], after: makeSpec(sha("x"), 100) };
}

const wait = (scope: string, reason: Reason): Decision => ({ kind: "wait", scope, reason });
const slow: Reason = { code: "LedgerSlow", why: "30 s" };
const slowWords =
  "LedgerSlow: pushes to branch meshroll/ledger, where decisions are recorded, are slow " +
  "(meshroll doctor --only git shows more): 30 s (the git server)";
const settling: Reason = { code: "BatchSettling", cluster: "one", rolling: 2 };
const unjudged: Reason = { code: "StageUnjudged" };
const pull: PullStatus = {
  stage: "all",
  number: 7,
  url: "https://github.com/acme/rollouts/pull/7",
  branch: "meshroll/up/all",
  state: "open",
  headSha: "c".repeat(40),
};
const stop = (change: Partial<StopStatus> = {}): StopStatus => ({
  id: "p",
  scope: "campaign/up",
  strength: "move",
  cause: "verb",
  who: "ben",
  why: "a drill",
  from: "ledger",
  overdue: false,
  command: 'meshroll resume up --reason "…"',
  ...change,
});

function list(change: Partial<WaitQuestion>): readonly string[] {
  const snapshot = makeSnapshot({ now: noon, pulls: new Map() });
  const question = { snapshot, name: "up", views: [], others: [], decisions: [], verdict: verdictOf(), stops: [] };
  return listCampaignWaits({ ...question, pull: undefined, ...change }).map(({ scope, code, message, owner }) => {
    return `${scope} ${code}: ${printText(message)} (${owner})`;
  });
}

const next = "campaign/up ProposalNext: the pull request for all opens next (meshroll)";

describe("what a campaign waits for", () => {
  const cases: readonly {
    readonly name: string;
    readonly request: Partial<WaitQuestion>;
    readonly want: readonly string[];
  }[] = [
    { name: "its next stage", request: {}, want: [next] },
    { name: "nothing once it is complete", request: { verdict: { kind: "complete", campaign } }, want: [] },
    { name: "nothing without a verdict", request: { verdict: undefined }, want: [] },
    { name: "no stage while a run of it is open", request: { views: [view] }, want: [] },
    {
      name: "what all, the campaign and its open runs wait for, without waits of others",
      request: {
        views: [view],
        decisions: [
          wait("all", slow),
          wait("campaign/up", unjudged),
          wait(`run/${run.id}@one`, settling),
          wait("campaign/other", unjudged),
          wait("run/aaaaaaaaaaaa@one", settling),
        ],
      },
      want: [
        `all ${slowWords}`,
        "campaign/up StageUnjudged: planner is evaluating a newer commit of main (meshroll)",
        `run/${run.id}@one BatchSettling: 2 workloads still in rollout in one (the owners of the workloads)`,
      ],
    },
    {
      name: "no proposal if there is no planner",
      request: { decisions: [wait("all", { code: "NoPlanner" })] },
      want: [expect.stringMatching(/^all NoPlanner: without a planner/u) as string],
    },
    {
      name: "each cause once",
      request: {
        decisions: [wait("all", slow)],
        verdict: {
          kind: "wait",
          campaign,
          stage: makeStage("all", 100),
          branch: "meshroll/up/all",
          reason: slow,
        },
      },
      want: [`all ${slowWords}`],
    },
    {
      name: "waits that a person can end first",
      request: {
        decisions: [wait("all", slow), wait("all", { code: "Stopped", stop: stop({ scope: "all" }) })],
        views: [view],
      },
      want: ["all Stopped: all is stopped by ben: a drill (ben)", `all ${slowWords}`],
    },
    {
      name: "a pause, even if no workload is due",
      request: { stops: [stop()], views: [view] },
      want: ["campaign/up Stopped: campaign/up is stopped by ben: a drill (ben)"],
    },
    {
      name: "a pause once, if a batch names it too",
      request: {
        stops: [stop()],
        views: [view],
        decisions: [wait(`run/${run.id}@one`, { code: "Stopped", stop: stop() })],
      },
      want: [`run/${run.id}@one Stopped: campaign/up is stopped by ben: a drill (ben)`],
    },
    {
      name: "a pause of a cluster only if it holds work",
      request: { stops: [stop({ scope: "cluster/one" })] },
      want: [next],
    },
    { name: "a hold only in its stage's own wait", request: { stops: [stop({ strength: "propose" })] }, want: [next] },
    {
      name: "approvals of its open pull request, as many as are required",
      request: {
        pull,
        verdict: verdictOf({ approvals: { required: 2, from: ["team:a", "user:b"], allowAuthor: false } }),
      },
      want: [
        "campaign/up ApprovalNeeded: stage all of up waits in pull request 7 for 2 approvals from team:a or user:b " +
          "(not the author's): https://github.com/acme/rollouts/pull/7 (team:a, user:b)",
      ],
    },
    {
      name: "a person's merge, if no approval is required",
      request: { pull, verdict: verdictOf({ approvals: { required: 0, from: [], allowAuthor: false } }) },
      want: [
        "campaign/up MergeNeeded: stage all of up waits for a person to merge pull request 7: " +
          "https://github.com/acme/rollouts/pull/7 (the owners of campaign up)",
      ],
    },
    {
      name: "a red check before all else, even with autoMerge",
      request: {
        pull: { ...pull, checks: { plan: "failure", approvals: "success" } },
        verdict: verdictOf({ autoMerge: { notice: 0 } }),
      },
      want: [
        "campaign/up PlanRed: stage all of up waits in pull request 7, whose check meshroll/plan is red: " +
          "https://github.com/acme/rollouts/pull/7 (the owners of campaign up)",
      ],
    },
    {
      name: "its own checks, with autoMerge",
      request: { pull, verdict: verdictOf({ autoMerge: { notice: 0 } }) },
      want: [
        "campaign/up MergeNotice: stage all of up merges itself by pull request 7 once both checks are green (meshroll)",
      ],
    },
    {
      name: "its next stage, if the open pull request is of another stage",
      request: { pull: { ...pull, stage: "half" } },
      want: [next],
    },
  ];
  it.each(cases)("$name", ({ request, want }) => expect(list(request)).toEqual(want));

  it("7.1 a pause with an end says when its owner is notified", () => {
    const question = {
      snapshot: makeSnapshot(),
      name: "up",
      views: [view],
      others: [],
      decisions: [],
      verdict: undefined,
      pull: undefined,
    };
    const until = "2026-11-20T12:00:00.000Z";
    expect(listCampaignWaits({ ...question, stops: [stop({ until })] })).toMatchObject([{ until }]);
    expect(listCampaignWaits({ ...question, stops: [stop()] })[0]).not.toHaveProperty("until");
  });
});
