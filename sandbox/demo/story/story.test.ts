import { expect, test } from "vitest";

import type { FleetStatus } from "#libs/plan";

import { type Chapter, isComplete, isWaitingForReview, nameChapter, suggestSteps } from "./story.ts";
import { makeCampaign, makePull, makeStatus, run, untouched } from "../test-status.ts";

function stop(cause: "failures" | "rollback" | "rolledBack", scope: string): FleetStatus["stops"][number] {
  const shared = { strength: "move", who: "ana", why: "so", from: "ledger", overdue: false, command: "" } as const;
  return { ...shared, id: cause, cause, scope };
}

const id = "a17ecec1ed5f";
const runs = [run(untouched)];
const failed = stop("failures", `run/${id}`);
const merged = { campaigns: [makeCampaign()] };
const waiting = { campaigns: [makeCampaign({ pull: makePull("prod-25") })] };
const unjudged = {
  campaigns: [makeCampaign({ pull: makePull("prod-25", { checks: { plan: "pending", approvals: "pending" } }) })],
};

const cases: Record<string, { status: FleetStatus; isProposed?: boolean; want: Chapter }> = {
  "nothing is proposed yet": { status: makeStatus(), want: "starting" },
  "the campaign's pull request is open": { status: makeStatus(), isProposed: true, want: "proposed" },
  "the campaign is merged, its next stage is on its way": { status: makeStatus(merged), want: "migrating" },
  "a stage waits for a review": { status: makeStatus(waiting), want: "proposed" },
  "one that is not judged yet waits for nothing": { status: makeStatus(unjudged), want: "migrating" },
  "a run moves": { status: makeStatus({ ...merged, runs }), want: "migrating" },
  "its failures stopped it": { status: makeStatus({ ...merged, runs, stops: [failed] }), want: "stopped" },
  "failures of a run that is over stop nothing": {
    status: makeStatus({ ...merged, runs, stops: [stop("failures", "run/0123456789ab")] }),
    want: "migrating",
  },
  "a person requested the way back": {
    status: makeStatus({ ...merged, runs, stops: [failed, stop("rollback", `run/${id}`)] }),
    want: "rollingBack",
  },
  "the rollback moves": {
    status: makeStatus({ ...merged, runs, stops: [stop("rolledBack", "bucket/production")] }),
    want: "rollingBack",
  },
  "back, and held": {
    status: makeStatus({ ...merged, stops: [stop("rolledBack", "bucket/production")] }),
    want: "held",
  },
  "every namespace runs it": {
    status: makeStatus({ campaigns: [makeCampaign({ state: "Completed" })] }),
    want: "over",
  },
};

for (const [name, { status, isProposed = false, want }] of Object.entries(cases))
  test(`chapter ${want}: ${name}`, () => {
    expect(nameChapter(status, { isProposed })).toBe(want);
  });

test("the story is over only when no run is open", () => {
  const campaigns = [makeCampaign({ state: "Completed" })];
  expect([isComplete(makeStatus({ campaigns })), isComplete(makeStatus({ campaigns, runs }))]).toEqual([true, false]);
});

test("a review is found by the stage's name", () => {
  const status = makeStatus(waiting);
  expect([isWaitingForReview(status, "prod-25"), isWaitingForReview(status, "prod-100")]).toEqual([true, false]);
});

test("every step is a complete command that names its subject", () => {
  const status = makeStatus({ ...waiting, runs });
  const chapters: readonly Chapter[] = ["starting", "proposed", "migrating", "stopped", "rollingBack", "held", "over"];
  const commands = chapters.flatMap((chapter) => suggestSteps(chapter, status, "ana/istio-1-25"));
  for (const { command } of commands) expect(command).toMatch(/^(npx meshroll|npm run demo --) \S/);
  expect(suggestSteps("stopped", status, "").map(({ command }) => command)).toEqual([
    `npx meshroll get failures run/${id}`,
    "npm run demo -- fix",
    `npx meshroll retry run/${id} --reason "fixed"`,
    `npx meshroll rollback run/${id} --reason "bad proxies"`,
  ]);
  const stops = [{ cause: "rolledBack", command: `meshroll unhold 'bucket/.*-staging' --reason "…"` }];
  expect(suggestSteps("held", makeStatus({ ...waiting, stops } as never), "").map(({ command }) => command)).toEqual([
    "npm run demo -- fix",
    `npx meshroll unhold 'bucket/.*-staging' --reason "fixed"`,
    "npx meshroll status istio-1-25",
  ]);
  expect(suggestSteps("proposed", status, "")[0]?.command).toContain("meshroll/istio-1-25/prod-25");
});
