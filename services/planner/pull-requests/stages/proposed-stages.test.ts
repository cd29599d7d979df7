import { file } from "#test/flow/shop";
import { campaignFile, campaignOf } from "#test/flow/campaign/stage-campaign";
import { openStagePullBench } from "#test/flow/campaign/stage-pull-bench";
import { openFakeRepository } from "#fakes/git";
import { wordsOf } from "#test/world/words";
import { expect, test } from "vitest";

import { listHandStages } from "./hand-stages.ts";

const branch = "meshroll/shop/half";

test("10.3 a stage gets one branch, one pull request, and the labels that its campaign wants", async () => {
  const bench = openStagePullBench({
    campaign: campaignOf("  notify: { github: { labels: [mesh, prod] } }\n"),
  });
  await bench.round();
  const waits = await bench.round();
  const pull = await bench.find(branch);
  expect(pull).toMatchObject({ state: "open", author: "meshroll", labels: ["meshroll", "mesh", "prod"] });
  expect(waits.map(({ scope, reason }) => [scope, reason.code, wordsOf(reason)?.command])).toEqual([
    ["campaign/shop", "ApprovalNeeded", "gh pr review 1 --approve"],
  ]);
  expect(bench.hub.readText(1).title).toBe("rollout(shop): production 0 → 50 % on new [1/2 half]");
  expect(bench.remote.commit(pull?.headSha ?? "")?.tree.get("rollouts.yml")).toBe(file(50));
});

test("10.3 a person's branch that leaves no room for the stage's is named, and the stage is proposed once it is gone", async () => {
  const bench = openStagePullBench();
  bench.remote.commitTo("meshroll/shop", { files: { "README.md": "mine\n" } });
  const waits = [...(await bench.round()), ...(await bench.round())];
  expect(new Set(waits.map(({ reason }) => reason.code))).toEqual(new Set(["StageFailed"]));
  expect(wordsOf(waits[0]?.reason)?.message).toContain("while there is a branch meshroll/shop");
  bench.remote.removeBranch("meshroll/shop");
  await bench.round();
  expect(await bench.find(branch)).toMatchObject({ state: "open" });
});

test("10.2 when main changes the same lines the branch is made again, with one commit", async () => {
  const bench = openStagePullBench();
  await bench.round();
  bench.remote.commitToMain({ files: { "rollouts.yml": file(10), "README.md": "hello\n" } });
  await bench.round();
  await bench.round();
  const second = await bench.find(branch);
  expect(bench.remote.commit(second?.headSha ?? "")?.parents).toEqual([bench.remote.head("main")]);
  expect(bench.hub.readText(1).title).toContain("production 10 → 50 %");
  expect(Object.keys(bench.ledger.plans)).toEqual([second?.headSha]);
});

test("10.2 when main changes elsewhere no new head is needed, and approvals stay", async () => {
  const bench = openStagePullBench();
  await bench.round();
  const first = await bench.find(branch);
  bench.remote.commitToMain({ files: { "README.md": "hello\n" } });
  await bench.round();
  await bench.round();
  expect((await bench.find(branch))?.headSha).toBe(first?.headSha);
});

test("10.3 closing by the owner of our token places a hold like any other; closing by meshroll places none", async () => {
  const bench = openStagePullBench();
  await bench.round();
  bench.hub.closePullRequest(1, "meshroll");
  await bench.round();
  expect(bench.ledger.stops).toMatchObject({
    "closed-1": { who: "meshroll", scope: "campaign/shop", cause: "closed" },
  });

  const tidy = openStagePullBench();
  await tidy.round();
  tidy.remote.commitToMain({ files: { "rollouts.yml": file(50) } });
  await tidy.round();
  tidy.remote.commitToMain({ files: { "rollouts.yml": file(0) } });
  await tidy.round();
  await tidy.round();
  expect(tidy.ledger.stops).toEqual({});
  const pulls = await tidy.scm.findPullRequests(branch);
  expect(pulls.map(({ number, state }) => [number, state])).toEqual([
    [3, "open"],
    [1, "closed"],
  ]);
});

test("10.3 a stage whose merge became no run is over: its next proposal has a branch of its own", async () => {
  const bench = openStagePullBench();
  await bench.round();
  bench.hub.review(1, { author: "ben", state: "approved" });
  await bench.round();
  const { headSha = "" } = (await bench.find(branch)) ?? {};
  expect((await bench.hub.as("ana").merge(1, headSha)).kind).toBe("merged");
  bench.remote.commitToMain({ files: { "rollouts.yml": file(0) } });
  await bench.round();
  await bench.round();
  expect((await bench.find(`${branch}-2`))?.state).toBe("open");
});

test("10.3 a person's pull request from a branch that looks like ours is not closed", async () => {
  const bench = openStagePullBench();
  bench.remote.commitTo("meshroll/docs/typo", { files: { "README.md": "hello\n" }, author: "ana" });
  await bench.hub.as("ana").openPullRequest({ branch: "meshroll/docs/typo", base: "main", title: "Typo", body: "" });
  const waits = [...(await bench.round()), ...(await bench.round())];
  expect((await bench.find("meshroll/docs/typo"))?.state).toBe("open");
  expect(waits.filter(({ scope }) => scope.startsWith("pull/"))).toEqual([]);
});

test("10.3 nothing is proposed from a snapshot that is older than main", async () => {
  const bench = openStagePullBench();
  const snapshot = bench.snapshot();
  bench.remote.commitToMain({ files: { "rollouts.yml": file(60) } });
  bench.snapshot = () => snapshot;
  await bench.round();
  expect(await bench.find(branch)).toBeUndefined();
});

test("1.5 without GitHub a stage names the shares that a person writes, and where", async () => {
  const bench = openStagePullBench();
  const [wait, ...more] = await listHandStages(openFakeRepository(bench.remote), bench.snapshot());
  expect(more).toEqual([]);
  expect(wordsOf(wait?.reason)).toMatchObject({ code: "StageByHand", owner: "user:ana" });
  expect(wordsOf(wait?.reason)?.message).toContain("set production to old 50, new 50");
  expect(wordsOf(wait?.reason)?.command).toContain(`git switch -c ${branch} origin/main`);
  bench.remote.commitToMain({ files: { [campaignFile]: null } });
  expect(await listHandStages(openFakeRepository(bench.remote), bench.snapshot())).toEqual([]);
});
