import type { FakeScm } from "#fakes/scm";
import type { PullRequest } from "#libs/scm";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, makeShop, listMovedPaths } from "../shop.ts";

const protection = { requiredReviews: 0, requiredChecks: ["meshroll/plan", "meshroll/approvals"] };

/** A shop with a GitHub whose main requires both checks. */
async function openShopWithGithub(): Promise<{ readonly flow: FleetFlow; readonly github: FakeScm }> {
  const flow = await makeShop();
  const github = flow.givenGithub(protection);
  await flow.startExecutor().startPlanner().pass(30_000);
  return { flow, github };
}

/** Opens ana's pull request from main's present head. */
async function propose(flow: FleetFlow, github: FakeScm, branch: string, text: string): Promise<PullRequest> {
  flow.remote.commitTo(branch, { files: { "rollouts.yml": text }, author: "ana", at: flow.clock.now() });
  return github.as("ana").openPullRequest({ branch, base: "main", title: branch, body: "" });
}

async function describeStops(flow: FleetFlow): Promise<readonly string[]> {
  return Object.values((await flow.ledger())?.stops ?? {})
    .map(({ scope, cause, resume }) => `${scope} ${cause}${resume === undefined ? "" : " resumed"}`)
    .toSorted();
}

/** Ben approves, the checks follow, ana merges; returns the run. */
async function merge(flow: FleetFlow, github: FakeScm, pull: PullRequest): Promise<string> {
  github.review(pull.number, { author: "ben", state: "approved" });
  await flow.pass(31_000);
  const outcome = await github.as("ana").merge(pull.number, pull.headSha);
  if (outcome.kind !== "merged") throw new Error(JSON.stringify(outcome));
  return outcome.sha.slice(0, 12);
}

test("2.2 a rollback merges itself: main and all workloads are back, and its hold fails the checks of the next pull request", async () => {
  const { flow, github } = await openShopWithGithub();
  const pull = await propose(flow, github, "ana/all", file(100));
  await flow.pass(31_000);
  const unapproved = await github.as("ana").merge(pull.number, pull.headSha);
  const run = await merge(flow, github, pull);
  await flow.untilRunsEnd(1);
  const before = countOn(flow, "new");

  await flow.whenAsked({ verb: "rollback", scope: `run/${run}`, why: "INC-9921" });
  await flow.untilRunsEnd(2);
  const [back] = await github.as("ana").findPullRequests(`meshroll/rollback/${run}`);
  const next = await propose(flow, github, "ana/again", file(50));
  await flow.pass(31_000);
  const [plan] = await github.as("meshroll").findChecks(next.headSha);
  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  await flow.pass(31_000);
  const [resumed] = await github.as("meshroll").findChecks(next.headSha);

  expect(unapproved).toMatchObject({ kind: "refused", why: expect.stringContaining("meshroll/approvals") });
  expect([before, countOn(flow, "old")]).toEqual([6, 6]);
  expect(back).toMatchObject({ state: "merged", mergedBy: "meshroll" });
  expect(await describeStops(flow)).toEqual(["bucket/production rolledBack resumed", `run/${run} rollback resumed`]);
  expect([plan?.state, resumed?.state]).toEqual(["failure", "success"]);
  expect(plan?.summary).toContain('meshroll unhold bucket/production --reason "…"');
  await flow.end();
});

test("2.4 rollback --now with git and GitHub down: all roll back, a broken batch too; a pause counts; all is recorded later", async () => {
  const { flow, github } = await openShopWithGithub();
  const run = await merge(flow, github, await propose(flow, github, "ana/all", file(100)));
  await flow.untilRunsEnd(1);
  flow.remote.setUnavailable(true);
  github.setUnavailable(true);
  const policy = flow.model("one").faults.refuseWrites("shop-a");

  await flow.whenAsked({ verb: "rollback", scope: `run/${run}`, now: true, why: "INC-9921" });
  await flow.pass(1000);
  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.until("all but one are back", () => countOn(flow, "old") === 5, 120_000);
  policy.end();
  await flow.until("the last one is", () => countOn(flow, "old") === 6, 120_000);
  const waits = (await flow.status())?.waiting.map(({ code }) => code);
  flow.remote.setUnavailable(false);
  github.setUnavailable(false);
  await flow.until("main says so", async () => (await describeStops(flow)).includes(`run/${run} rollback resumed`));
  await flow.untilRunsEnd(2);

  expect([waits?.includes("LedgerDown"), await flow.job()]).toEqual([true, undefined]);
  // Twelve writes: each workload moved once, and back once.
  expect(listMovedPaths(flow)).toHaveLength(12);
  expect(await describeStops(flow)).toEqual([
    "all verb",
    "bucket/production rolledBack",
    `run/${run} rollback resumed`,
  ]);
  expect(Object.values((await flow.ledger())?.requests ?? {}).map(({ answer }) => answer.slice(0, 4))).toEqual([
    "stop",
    "stop",
  ]);
  await flow.end();
});
