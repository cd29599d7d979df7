import { fileAt, openPullRequestBench } from "#test/flow/pull-request-bench";
import { file } from "#test/flow/shop";
import { campaignOf } from "#test/flow/stage-campaign";
import { openStagePullBench } from "#test/flow/stage-pull-bench";
import { describe, expect, test } from "vitest";

const branch = "meshroll/shop/half";
const workflow = { ".github/workflows/release.yml": "on: push\n" };
const itself = campaignOf("", "    - { name: half, set: { production: 50 }, autoMerge: { notice: 10m } }\n");

describe("what rides along with an exempt change", () => {
  test("10.1 a workflow file beside a return is not merged without approval, by us or by anybody", async () => {
    const bench = openPullRequestBench();
    const back = await bench.propose("mallory/back", { "rollouts.yml": fileAt(0), ...workflow });
    await bench.round();
    expect(await bench.checks(back.headSha)).toEqual({ plan: "success", approvals: "pending" });
    expect(await bench.hub.as("mallory").merge(back.number, back.headSha)).toMatchObject({ kind: "refused" });
  });

  test("10.1 on the branch of a rollback it keeps the planner from merging it", async () => {
    const bench = openPullRequestBench({ requiredReviews: 1 });
    bench.askRollback();
    await bench.round();
    const [pull] = await bench.forge.findPullRequests(`meshroll/return/${bench.run.id}`);
    bench.remote.commitTo(pull?.branch ?? "", { files: workflow, author: "mallory" });
    bench.hub.review(pull?.number ?? 0, { author: "mallory", state: "approved" });
    const waits = await bench.round();
    expect([bench.readMain(), bench.merged, waits.map(({ reason }) => reason.code)]).toEqual([
      fileAt(50),
      0,
      ["ReturnTaken"],
    ]);
  });

  test("10.1 what touches none of our files is neither green by us nor merged by us", async () => {
    const bench = openPullRequestBench();
    const { headSha } = await bench.propose("mallory/ci", workflow);
    await bench.round();
    expect(await bench.checks(headSha)).toEqual({ plan: "neutral", approvals: "neutral" });
    expect([bench.merged, bench.hub.edits]).toEqual([0, ["ana open 1"]]);
  });
});

describe("a forged record in the ledger", () => {
  test("10.2 does not make a head exempt that sets more than its stage", async () => {
    const bench = openStagePullBench({ campaign: itself });
    await bench.round();
    const theirs = bench.remote.commitTo(branch, { files: { "rollouts.yml": file(100) }, author: "mallory" });
    const changes = [
      { pattern: "production", from: '[["old",100]]', to: '[["new",100]]', direction: "forward" as const },
    ];
    const named = { head: theirs, campaign: "shop", stage: "half", branch, at: "2020-01-01T00:00:00.000Z" };
    bench.ledger = { ...bench.ledger, plans: { [theirs]: { ...named, changes, digest: "", list: "" } } };
    await bench.round();
    await bench.round(3_600_000);
    const checks = await bench.forge.findChecks(theirs);
    expect(checks.map(({ name, state }) => [name, state])).toContainEqual(["meshroll/approvals", "pending"]);
    expect(bench.readMain()).toBe(file(0));
  });

  test("10.2 does not shorten the notice of a stage that merges itself", async () => {
    const bench = openStagePullBench({ campaign: itself });
    await bench.round();
    const head = (await bench.find(branch))?.headSha ?? "";
    const plan = bench.ledger.plans[head];
    if (plan === undefined) throw new Error("the head is not recorded");
    bench.ledger = { ...bench.ledger, plans: { [head]: { ...plan, at: "2020-01-01T00:00:00.000Z" } } };
    await bench.round(540_000);
    const before = bench.readMain();
    await bench.round(60_000);
    await bench.round();
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
    const open = await bench.forge.listOpenPullRequests("main");
    expect([open.map((pull) => pull.branch), bench.ledger.stops]).toEqual([[branch], {}]);
  });
});
