import { GitRefused } from "#libs/git";
import type { PullRequest } from "#libs/scm";
import { campaignFile, campaignOf } from "#test/flow/campaign/stage-campaign";
import { openStagePullBench, type StagePullBench } from "#test/flow/campaign/stage-pull-bench";
import { fileAt, openPullRequestBench, type PullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { file } from "#test/flow/shop";
import { describe, expect, test } from "vitest";

const us = "meshroll planner";

/** The pull request of a requested rollback, before any check. */
async function requestRollback(bench: PullRequestBench): Promise<PullRequest> {
  bench.askRollback();
  await bench.round();
  const [pull] = await bench.scm.findPullRequests(`meshroll/rollback/${bench.run.id}`);
  if (pull === undefined) throw new Error("the rollback has no pull request");
  return pull;
}

function pushTo(bench: PullRequestBench, branch: string, percent: number, author: string): string {
  return bench.remote.commitTo(branch, { files: { "rollouts.yml": fileAt(percent) }, author, pusher: "mallory" });
}

test("a rollback that was not requested needs an approval, even on a branch with the name of one", async () => {
  const bench = openPullRequestBench();
  const branch = `meshroll/rollback/${bench.run.id}`;
  const { headSha } = await bench.propose(branch, { "rollouts.yml": fileAt(0) }, "mallory");
  await bench.round();
  await bench.round();
  expect([await bench.checks(headSha), bench.readMain()]).toEqual([
    { plan: "success", approvals: "pending" },
    fileAt(50),
  ]);
});

/** A review is required on GitHub here, so that the pull request stays open. */
describe("the branch of a rollback that was requested", () => {
  test("needs an approval if another account committed the same content", async () => {
    const bench = openPullRequestBench({ requiredReviews: 1 });
    const pull = await requestRollback(bench);
    expect(await bench.checks(pull.headSha)).toEqual({ plan: "success", approvals: "success" });
    const theirs = pushTo(bench, pull.branch, 0, "mallory");
    await bench.round();
    expect((await bench.round()).map(({ reason }) => reason.code)).toContain("RollbackApprovals");
    expect(bench.remote.head(pull.branch)).toBe(theirs);
    expect(await bench.checks(theirs)).toEqual({ plan: "success", approvals: "pending" });
    for (const author of ["cleo", "ben"]) bench.hub.review(pull.number, { author, state: "approved" });
    await bench.round();
    await bench.round();
    expect(bench.readMain()).toBe(fileAt(0));
  });

  const forged = [
    { name: "the same content", percent: 0 },
    { name: "other content", percent: 100 },
  ];
  test.each(forged)("is made again if a commit with our name has $name", async ({ percent }) => {
    const bench = openPullRequestBench({ requiredReviews: 1 });
    const pull = await requestRollback(bench);
    const theirs = pushTo(bench, pull.branch, percent, us);
    for (let round = 0; round < 3; round += 1) await bench.round();
    const head = bench.remote.head(pull.branch) ?? "";
    expect(bench.remote.commit(head)?.parents).toEqual([bench.remote.head("main")]);
    expect([head === theirs, await bench.checks(head)]).toEqual([false, { plan: "success", approvals: "success" }]);
  });

  test("gets one more commit when main changes and forced pushes are refused, and needs an approval then", async () => {
    const bench = openPullRequestBench({ requiredReviews: 1 });
    bench.restart({
      repository: (git) => ({
        ...git,
        async commitAndPush(draft) {
          if (draft.replaces !== undefined) throw new GitRefused("protected branch hook declined", "ask for it");
          return git.commitAndPush(draft);
        },
      }),
    });
    const pull = await requestRollback(bench);
    bench.remote.commitToMain({ files: { "rollouts.yml": fileAt(75) } });
    for (let round = 0; round < 4; round += 1) await bench.round();
    const head = bench.remote.head(pull.branch) ?? "";
    expect(bench.remote.commit(head)?.parents).toEqual([pull.headSha, bench.remote.head("main")]);
    expect(await bench.checks(head)).toEqual({ plan: "success", approvals: "pending" });
  });

  test("stays exempt when it gets main's commits, and when another process judges it", async () => {
    const bench = openPullRequestBench({ requiredReviews: 1 });
    const { branch } = await requestRollback(bench);
    const moves = [fileAt(75), `# note\n${fileAt(75)}`, fileAt(90, 25)];
    for (const text of moves) {
      bench.remote.commitToMain({ files: { "rollouts.yml": text } });
      bench.restart();
      await bench.round();
      bench.restart();
      await bench.round();
      const head = bench.remote.head(branch) ?? "";
      expect(bench.remote.commit(head)?.parents).toHaveLength(1);
      expect(await bench.checks(head)).toEqual({ plan: "success", approvals: "success" });
    }
  });

  test("needs an approval in a pull request that another account opened from it", async () => {
    const bench = openPullRequestBench();
    bench.restart({
      scm: (scm) => ({
        ...scm,
        openPullRequest: async (draft) => bench.hub.as("mallory").openPullRequest(draft),
      }),
    });
    const pull = await requestRollback(bench);
    expect(await bench.checks(pull.headSha)).toEqual({ plan: "success", approvals: "pending" });
    expect(bench.readMain()).toBe(fileAt(50));
  });

  test("needs an approval if GitHub does not tell our own login", async () => {
    const bench = openPullRequestBench();
    bench.restart({ scm: (scm) => ({ ...scm, ownLogin: async () => undefined }) });
    const pull = await requestRollback(bench);
    expect(await bench.checks(pull.headSha)).toEqual({ plan: "success", approvals: "pending" });
  });
});

const itself = campaignOf("", "    - { name: half, set: { production: 50 }, autoMerge: { notice: 10m } }\n");
const stageBranch = "meshroll/shop/half";

async function readApprovals(bench: StagePullBench): Promise<string | undefined> {
  const checks = await bench.scm.findChecks(bench.remote.head(stageBranch) ?? "");
  return checks.find(({ name }) => name === "meshroll/approvals")?.state;
}

test("a stage that merges itself needs an approval if a person committed it, and is made again if our name was forged", async () => {
  const bench = openStagePullBench({ campaign: itself });
  await bench.round();
  const own = await readApprovals(bench);
  bench.remote.commitTo(stageBranch, { files: { "rollouts.yml": file(100) }, author: us, pusher: "mallory" });
  await bench.round();
  await bench.round();
  const healed = await readApprovals(bench);
  bench.remote.commitTo(stageBranch, { files: { "rollouts.yml": file(50) }, author: "mallory" });
  await bench.round();
  await bench.round();
  expect([own, healed, await readApprovals(bench)]).toEqual(["success", "success", "pending"]);
  await bench.round(3_600_000);
  await bench.round();
  expect(bench.readMain()).toBe(file(0));
});

test("a stage that merges itself needs no approval while a cluster is not seen, or after its campaign changed", async () => {
  const bench = openStagePullBench({ campaign: itself });
  await bench.round();
  const head = bench.remote.head(stageBranch);
  const states: unknown[] = [];
  for (const isFresh of [false, true, false, true]) {
    bench.isFresh = isFresh;
    await bench.round();
    states.push(await readApprovals(bench));
  }
  expect([new Set(states), bench.remote.head(stageBranch)]).toEqual([new Set(["success"]), head]);
  bench.remote.commitToMain({ files: { [campaignFile]: itself.replace("production: 50", "production: 40") } });
  await bench.round();
  await bench.round();
  expect([await readApprovals(bench), bench.remote.head(stageBranch) === head]).toEqual(["success", false]);
});

test("a person's pull request from a stage's branch is judged even before `meshroll init`", async () => {
  const bench = openStagePullBench({ campaign: itself });
  bench.ledger = undefined as never;
  const headSha = bench.remote.commitTo(stageBranch, { files: { "rollouts.yml": file(50) }, author: "ana" });
  const draft = { branch: stageBranch, base: "main", title: "half", body: "" };
  await bench.hub.as("ana").openPullRequest(draft);
  await bench.round();
  expect((await bench.scm.findChecks(headSha)).length).toBe(2);
});
