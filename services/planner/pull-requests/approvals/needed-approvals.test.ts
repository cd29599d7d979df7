import type { RolloutsRepository } from "#libs/git";
import type { Permission } from "#libs/scm";
import { fileAt, openPullRequestBench, type PullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { file } from "#test/flow/shop";
import { campaignOf } from "#test/flow/campaign/stage-campaign";
import { openStagePullBench } from "#test/flow/campaign/stage-pull-bench";
import { describe, expect, test } from "vitest";

const branch = "meshroll/shop/half";
const workflow = { ".github/workflows/release.yml": "on: push\n" };
const itself = campaignOf("", "    - { name: half, set: { production: 50 }, autoMerge: { notice: 10m } }\n");

/** State and title of `meshroll/approvals` on a branch's head. */
async function readApprovals(bench: Pick<PullRequestBench, "scm" | "remote">, of: string): Promise<readonly unknown[]> {
  const checks = await bench.scm.findChecks(bench.remote.head(of) ?? "");
  const found = checks.find(({ name }) => name === "meshroll/approvals");
  return [found?.state, found?.title];
}

const unknown = "because not all of its authors are known";

describe("approval by a person who took part", () => {
  test("10.1 one person who pushes 100 % onto a stage's branch cannot approve it and merge it alone", async () => {
    const bench = openStagePullBench();
    await bench.round();
    bench.remote.commitTo(branch, { files: { "rollouts.yml": file(100) }, author: "mallory" });
    bench.hub.review(1, { author: "mallory", state: "approved" });
    await bench.round();
    const { headSha = "" } = (await bench.find(branch)) ?? {};
    const theirs = "because its head is not meshroll's";
    expect(await readApprovals(bench, branch)).toEqual(["pending", `0 of 1 approvals; 0 of 2 in all, ${theirs}`]);
    expect(await bench.hub.as("mallory").merge(1, headSha)).toMatchObject({ kind: "refused" });
    bench.hub.review(1, { author: "ben", state: "approved" });
    await bench.round();
    expect(await readApprovals(bench, branch)).toEqual(["pending", `1 of 1 approvals; 1 of 2 in all, ${theirs}`]);
    bench.hub.review(1, { author: "cleo", state: "approved" });
    await bench.round();
    expect((await readApprovals(bench, branch))[0]).toBe("success");
  });

  test("10.1 a commit with the planner's name is not taken for the planner's: the branch is made again", async () => {
    const bench = openStagePullBench();
    await bench.round();
    const change = { files: { "rollouts.yml": file(100) }, author: "meshroll planner", pusher: "mallory" };
    bench.remote.commitTo(branch, change);
    bench.hub.review(1, { author: "mallory", state: "approved" });
    bench.restart();
    const ensure = bench.remote.head(branch);
    await bench.round();
    expect(bench.remote.head(branch)).not.toBe(ensure);
    expect((await readApprovals(bench, branch))[0]).toBe("pending");
    expect(bench.readMain()).toBe(file(0));
  });

  const cases: readonly {
    readonly name: string;
    readonly change: { readonly author?: string };
    readonly permission?: Permission;
    readonly want: readonly string[];
  }[] = [
    { name: "the author of a commit", change: { author: "cleo" }, want: ["pending", "0 of 1 approvals"] },
    {
      name: "an account that took no part, if an author is unknown",
      change: { author: "Some Body" },
      want: ["pending", `1 of 1 approvals; 1 of 2 in all, ${unknown}`],
    },
    {
      name: "an account that has only read access now",
      change: {},
      permission: "read",
      want: ["pending", "0 of 1 approvals"],
    },
  ];
  test.each(cases)("10.1 an approval of $name", async ({ change, permission, want }) => {
    const bench = openPullRequestBench();
    const { number } = await bench.propose("ana/more", { "rollouts.yml": fileAt(90) });
    bench.remote.commitTo("ana/more", { files: { "rollouts.yml": fileAt(100) }, author: "ana", ...change });
    if (permission !== undefined) bench.hub.setPermission("cleo", permission);
    bench.hub.review(number, { author: "cleo", state: "approved" });
    await bench.round();
    expect(await readApprovals(bench, "ana/more")).toEqual(want);
  });
});

describe("other changes in an exempt pull request", () => {
  test("10.1 a workflow file next to a rollback is not merged without approval, by meshroll or a person", async () => {
    const bench = openPullRequestBench();
    const back = await bench.propose("mallory/back", { "rollouts.yml": fileAt(0), ...workflow });
    await bench.round();
    expect(await bench.checks(back.headSha)).toEqual({ plan: "success", approvals: "pending" });
    expect(await bench.hub.as("mallory").merge(back.number, back.headSha)).toMatchObject({ kind: "refused" });
  });

  const kinds = [
    { kind: "a symlink that spells a rollback", content: { symlink: fileAt(0) } },
    { kind: "a symlink that spells what main says", content: { symlink: fileAt(50) } },
    { kind: "a submodule", content: { submodule: "1".repeat(40) } },
    { kind: "nothing", content: null },
  ];
  test.each(kinds)("10.1 rollouts.yml that becomes $kind is neither green nor exempt", async ({ content }) => {
    const bench = openPullRequestBench();
    const headSha = bench.remote.commitTo("mallory/kind", { files: { "rollouts.yml": content }, author: "mallory" });
    const mallory = bench.hub.as("mallory");
    const { number } = await mallory.openPullRequest({ branch: "mallory/kind", base: "main", title: "x", body: "" });
    await bench.round();
    expect(await bench.checks(headSha)).toEqual({ plan: "failure", approvals: "pending" });
    expect(await mallory.merge(number, headSha)).toMatchObject({ kind: "refused" });
  });

  test("10.1 a mode of rollouts.yml, alone or with others, needs an approval", async () => {
    const bench = openPullRequestBench();
    const alone = await bench.propose("mallory/mode", {});
    const workflowPull = await bench.propose("mallory/workflow", workflow);
    // Git lists a file as changed when only its mode changes (libs/git/repository/git-bombs.test.ts); the fake stores no
    // modes.
    const withMode = (repository: RolloutsRepository): RolloutsRepository => ({
      ...repository,
      async tryMerge(main, head, inside) {
        const tried = await repository.tryMerge(main, head, inside);
        return tried.kind === "clean" ? { ...tried, changed: ["rollouts.yml", ...tried.changed].toSorted() } : tried;
      },
    });
    bench.restart({ strangers: withMode });
    await bench.round();
    expect(await bench.checks(alone.headSha)).toEqual({ plan: "success", approvals: "pending" });
    expect(await bench.checks(workflowPull.headSha)).toEqual({ plan: "success", approvals: "pending" });
  });

  test("10.1 on the branch of a rollback a symlink that spells the rollback is not merged by the planner", async () => {
    const bench = openPullRequestBench({ requiredReviews: 1 });
    bench.askRollback();
    await bench.round();
    const [pull] = await bench.scm.findPullRequests(`meshroll/rollback/${bench.run.id}`);
    const files = { "rollouts.yml": { symlink: fileAt(0) } };
    bench.remote.commitTo(pull?.branch ?? "", { files, author: "mallory" });
    bench.hub.review(pull?.number ?? 0, { author: "mallory", state: "approved" });
    await bench.round();
    expect([bench.readMain(), bench.merged]).toEqual([fileAt(50), 0]);
  });

  test("10.1 a pull request without a file of meshroll gets no green check and is not merged by meshroll", async () => {
    const bench = openPullRequestBench();
    const { headSha } = await bench.propose("mallory/ci", workflow);
    await bench.round();
    expect(await bench.checks(headSha)).toEqual({ plan: "neutral", approvals: "neutral" });
    expect([bench.merged, bench.hub.edits]).toEqual([0, ["ana open 1"]]);
  });
});

describe("a stage that merges itself", () => {
  test("10.1 is left to people while the branch lacks a rule about approvals, and merged when it has them", async () => {
    const bench = openStagePullBench({ campaign: itself });
    bench.hub.setMissingRules(["lastPush"]);
    await bench.round();
    const waits = await bench.round(600_000);
    const before = bench.readMain();
    bench.hub.setMissingRules([]);
    await bench.round(60_000);
    expect(waits.map(({ reason }) => reason)).toMatchObject([{ code: "ReviewRulesMissing", rules: ["lastPush"] }]);
    expect([before, bench.readMain()]).toEqual([file(0), file(50)]);
  });
});

describe("a pull request of a stage's branch to another branch than main", () => {
  test("10.3 is not taken for the stage's: closing it holds nothing, and the stage gets its own", async () => {
    const bench = openStagePullBench();
    bench.remote.commitTo("other", { files: { "README.md": "hello\n" }, author: "mallory" });
    bench.remote.commitTo(branch, { files: { "rollouts.yml": file(50) }, author: "mallory" });
    const mallory = bench.hub.as("mallory");
    const theirs = await mallory.openPullRequest({ branch, base: "other", title: "x", body: "" });
    await mallory.closePullRequest(theirs.number);
    await bench.round();
    await bench.round();
    const open = await bench.scm.listOpenPullRequests("main");
    expect([open.map((pull) => pull.branch), bench.ledger.stops]).toEqual([[branch], {}]);
  });
});
