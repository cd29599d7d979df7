import { fileAt, openPullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { createVirtualClock } from "#fakes/runtime";
import type { PostedCheck, Scm } from "#libs/scm";
import { type CheckVerdict, writeText } from "#libs/wording";
import { expect, test } from "vitest";

import { type CheckPoster, createCheckPoster, mostWrites } from "./post-checks.ts";

const say = (state: CheckVerdict["state"]): CheckVerdict => ({
  state,
  title: writeText(`it is ${state}`),
  summary: writeText(""),
});
const judge = (approvals: CheckVerdict["state"]) => ({
  "meshroll/plan": say("success"),
  "meshroll/approvals": say(approvals),
});

async function open() {
  const bench = openPullRequestBench();
  const { headSha } = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
  const clock = createVirtualClock();
  /** Each posts in rounds that are half a minute apart. */
  function openPoster(): CheckPoster {
    const poster = createCheckPoster(bench.scm, clock);
    return { ...poster, post: async (...asked) => clock.advance(30_000).then(async () => poster.post(...asked)) };
  }
  return { bench, headSha, clock, one: openPoster(), other: openPoster() };
}

// Found by campaign walk 6000443: one planner had used up its writes and the other had not, and each restored its own check
// twice a minute without end.
test("10.3 two planners that judge a head differently stop writing, and the check is not green", async () => {
  const { bench, headSha, one, other } = await open();
  for (let turn = 0; turn < 3; turn += 1) {
    await one.post(headSha, judge("pending"));
    await one.post(headSha, judge("success"));
  }
  for (let round = 0; round < 30; round += 1) {
    await other.post(headSha, judge("success"));
    await one.post(headSha, judge("pending"));
  }
  expect(bench.hub.writes.length).toBeLessThanOrEqual(2 * mostWrites);
  expect(await bench.checks(headSha)).toEqual({ plan: "success", approvals: "failure" });
});

test("10.3 two planners that judge a head alike write each check once, and report no foreign check", async () => {
  const { bench, headSha, one, other } = await open();
  const seen: string[] = [];
  for (const state of ["pending", "success", "failure"] as const) {
    for (const poster of [one, other, one, other]) seen.push(...(await poster.post(headSha, judge(state))).intruders);
  }
  expect([bench.hub.writes, seen]).toEqual([
    [
      "check meshroll/plan success",
      "check meshroll/approvals pending",
      "check meshroll/approvals success",
      "check meshroll/approvals failure",
    ],
    [],
  ]);
});

test("10.1 a check that a person turned green with our token is red again, however many writes the head has had", async () => {
  const { bench, headSha, one } = await open();
  for (let turn = 0; turn < 10; turn += 1) await one.post(headSha, judge(turn % 2 === 0 ? "pending" : "failure"));
  const name = "meshroll/approvals";
  await bench.scm.postCheck({ name, headSha, state: "success", title: "fine", summary: "" });
  const { intruders } = await one.post(headSha, judge("pending"));
  expect([intruders, await bench.checks(headSha)]).toEqual([["meshroll"], { plan: "success", approvals: "failure" }]);
});

test("10.1 a list from before our own write shows no intruder and costs no write; a change that stays is found", async () => {
  const { bench, headSha, clock } = await open();
  let isOld = false;
  let before: readonly PostedCheck[] = [];
  const scm: Scm = { ...bench.scm, findChecks: async (sha) => (isOld ? before : bench.scm.findChecks(sha)) };
  const poster = createCheckPoster(scm, clock);
  await poster.post(headSha, judge("pending"));
  before = await bench.scm.findChecks(headSha);
  await clock.advance(30_000);
  await poster.post(headSha, judge("success"));
  const writes = bench.hub.writes.length;
  isOld = true;
  await clock.advance(1_000);
  const soon = await poster.post(headSha, judge("success"));
  expect([soon.intruders, bench.hub.writes.length, poster.count(headSha)]).toEqual([[], writes, 3]);
  await clock.advance(30_000);
  const later = await poster.post(headSha, judge("success"));
  expect([later.intruders, poster.count(headSha)]).toEqual([["meshroll"], 5]);
});
