import { Faults } from "#test/flow/parts/faults";
import { fileAt, openPullRequestBench, type PullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { campaignFile, campaignOf } from "#test/flow/campaign/stage-campaign";
import { openStagePullBench } from "#test/flow/campaign/stage-pull-bench";
import { expect, test } from "vitest";

const both = ["approvals", "plan"];

interface Setting {
  readonly bench: PullRequestBench;
  readonly faults: Faults;
  readonly good: string;
  /** True for the calls that fail: those about one of the pull requests. */
  readonly isOfBad: (args: readonly unknown[]) => boolean;
}

/** A stranger's pull request, a writer's, and a rollback. */
async function open(): Promise<Setting> {
  const bench = openPullRequestBench();
  const bad = await bench.propose("eve/bad", { "rollouts.yml": fileAt(60) }, "eve");
  const { headSha: good } = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
  bench.askRollback();
  const faults = new Faults();
  bench.restart({
    scm: (scm) => faults.wrap(scm),
    strangers: (git) => faults.wrap(git),
    judge: (judge) => faults.wrap(judge),
  });
  const isOfBad = (args: readonly unknown[]): boolean => {
    const text = JSON.stringify(args);
    return text.includes(bad.headSha) || args[0] === bad.number;
  };
  return { bench, faults, good, isOfBad };
}

async function listCalls(): Promise<readonly string[]> {
  const { bench, faults, isOfBad } = await open();
  const about = new Set<string>();
  faults.fails = ({ method, args }) => {
    if (isOfBad(args)) about.add(method);
    return false;
  };
  for (let round = 0; round < 4; round += 1) await bench.round();
  return [...about].toSorted();
}

test("if each call about one pull request fails for good, the others are judged and the rollback is merged", async () => {
  const methods = await listCalls();
  expect(methods).toEqual(expect.arrayContaining(["postCheck", "findChecks", "reviews", "tryMerge"]));
  for (const failing of methods) {
    const { bench, faults, good, isOfBad } = await open();
    faults.fails = ({ method, args }) => method === failing && isOfBad(args);
    for (let round = 0; round < 4; round += 1) await bench.round();
    const waits = await bench.round();
    const codes = waits.map(({ reason }) => reason.code);
    expect([failing, Object.keys(await bench.checks(good)).toSorted()]).toEqual([failing, both]);
    expect([failing, bench.readMain(), codes.includes("PullRequestUnread")]).toEqual([failing, fileAt(0), true]);
  }
});

test.each(["merge", "openPullRequest", "readMerged", "findPullRequests"])(
  "a rollback whose %s fails for good is named, and the others are judged",
  async (failing) => {
    const { bench, faults, good } = await open();
    bench.restart({ scm: (scm) => faults.wrap(scm), repository: (git) => faults.wrap(git) });
    faults.fails = ({ method }) => method === failing;
    for (let round = 0; round < 4; round += 1) await bench.round();
    const waits = await bench.round();
    expect(waits.map(({ reason }) => reason.code)).toContain("RollbackFailed");
    expect(Object.keys(await bench.checks(good)).toSorted()).toEqual(both);
  },
);

const stages = "    - { name: half, set: { production: 50 }, autoMerge: { notice: 1m } }\n";

test.each([
  { failing: "openPullRequest", want: "StageFailed" },
  { failing: "addLabels", want: "StageFailed" },
  { failing: "merge", want: "StageFailed" },
  { failing: "putComment", isOver: true, want: "StageOver" },
  { failing: "closePullRequest", isOver: true, want: "StageOver" },
])("a stage whose $failing fails for good is reported, and a person's pull request is judged", async (given) => {
  const bench = openStagePullBench({ campaign: campaignOf("", stages) });
  const faults = new Faults();
  bench.restart({ scm: (scm) => faults.wrap(scm) });
  if (given.isOver === true) {
    await bench.round();
    // Without its campaign file on main the stage is over.
    bench.remote.commitToMain({ files: { [campaignFile]: null } });
  }
  faults.fails = ({ method }) => method === given.failing;
  bench.remote.commitTo("ana/more", { files: { "README.md": "more\n" }, author: "ana" });
  const draft = { branch: "ana/more", base: "main", title: "more", body: "" };
  const { headSha } = await bench.hub.as("ana").openPullRequest(draft);
  for (let round = 0; round < 6; round += 1) await bench.round();
  const waits = await bench.round();
  expect(faults.count).toBeGreaterThan(0);
  expect(waits.map(({ reason }) => reason.code)).toContain(given.want);
  const checks = (await bench.scm.findChecks(headSha)).map(({ name }) => name).toSorted();
  expect(checks).toEqual(["meshroll/approvals", "meshroll/plan"]);
});
