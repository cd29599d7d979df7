import type { PullRequest } from "#libs/scm";
import { campaignOf } from "#test/flow/campaign/stage-campaign";
import { openStagePullBench } from "#test/flow/campaign/stage-pull-bench";
import { fileAt, openPullRequestBench, type PullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { file } from "#test/flow/shop";
import { describe, expect, test } from "vitest";

const us = "meshroll planner";

/** The pull request of the rollback that was requested, as GitHub has it before any check. */
async function requestRollback(bench: PullRequestBench): Promise<PullRequest> {
  bench.askRollback();
  await bench.round();
  const [pull] = await bench.scm.findPullRequests(`meshroll/rollback/${bench.run.id}`);
  if (pull === undefined) throw new Error("the rollback has no pull request");
  return pull;
}

interface ExemptionRow {
  readonly name: string;
  /** Answers the head whose approvals are asked for. */
  readonly play: (bench: PullRequestBench) => Promise<string>;
  readonly approvals: "success" | "pending";
  /** Percent of `new` that main says in the end. */
  readonly main: number;
}

function pushTo(bench: PullRequestBench, branch: string, percent: number, author: string): string {
  return bench.remote.commitTo(branch, { files: { "rollouts.yml": fileAt(percent) }, author, pusher: "mallory" });
}

const rows: readonly ExemptionRow[] = [
  {
    name: "none: the rollback that meshroll opened, with the head that it pushed",
    play: async (bench) => (await requestRollback(bench)).headSha,
    approvals: "success",
    main: 0,
  },
  {
    name: "a person's pull request that sets back what main had before",
    play: async (bench) => (await bench.propose("ana/back", { "rollouts.yml": fileAt(0) })).headSha,
    approvals: "pending",
    main: 50,
  },
  {
    name: "the same, while no cluster is seen",
    async play(bench) {
      bench.isClusterSeen = false;
      return (await bench.propose("ana/back", { "rollouts.yml": fileAt(0) })).headSha;
    },
    approvals: "pending",
    main: 50,
  },
  {
    name: "a comment in rollouts.yml",
    play: async (bench) => (await bench.propose("ana/note", { "rollouts.yml": `# note\n${fileAt(50)}` })).headSha,
    approvals: "pending",
    main: 50,
  },
  {
    name: "a rollback that was not requested, on a branch of its name",
    async play(bench) {
      const branch = `meshroll/rollback/${bench.run.id}`;
      return (await bench.propose(branch, { "rollouts.yml": fileAt(0) }, "mallory")).headSha;
    },
    approvals: "pending",
    main: 50,
  },
];

describe("approvals that are needed, by where a change comes from", () => {
  test.each(rows)("$name", async ({ play, approvals, main }) => {
    const bench = openPullRequestBench();
    const head = await play(bench);
    await bench.round();
    await bench.round();
    expect([await bench.checks(head), bench.readMain()]).toEqual([{ plan: "success", approvals }, fileAt(main)]);
  });
});

/** What another account does to the branch of a rollback that was requested; GitHub itself asks for a review, so it stays open. */
const intrusions: readonly {
  readonly name: string;
  readonly play: (bench: PullRequestBench, pull: PullRequest) => unknown;
}[] = [
  {
    name: "the same content by a commit of another account",
    play: (bench, { branch }) => pushTo(bench, branch, 0, "mallory"),
  },
  {
    name: "the same content under our name",
    play: (bench, { branch }) => pushTo(bench, branch, 0, us),
  },
  {
    name: "other content under our name, on which meshroll then puts its own commit: a rebase would leave that out",
    play: (bench, { branch }) => pushTo(bench, branch, 100, us),
  },
];

describe("the branch of a rollback that was requested", () => {
  test.each(intrusions)("needs people with $name", async ({ play }) => {
    const bench = openPullRequestBench({ requiredReviews: 1 });
    const pull = await requestRollback(bench);
    expect(await bench.checks(pull.headSha)).toEqual({ plan: "success", approvals: "success" });
    play(bench, pull);
    for (let round = 0; round < 3; round += 1) await bench.round();
    expect((await bench.round()).map(({ reason }) => reason.code)).toContain("RollbackApprovals");
    const head = bench.remote.head(pull.branch) ?? "";
    expect(await bench.checks(head)).toEqual({ plan: "success", approvals: "pending" });
    bench.hub.review(pull.number, { author: "cleo", state: "approved" });
    bench.hub.review(pull.number, { author: "ben", state: "approved" });
    await bench.round();
    await bench.round();
    expect(bench.readMain()).toBe(fileAt(0));
  });

  test("stays exempt when main is taken into it, and when another process judges it", async () => {
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
      expect(await bench.checks(head)).toEqual({ plan: "success", approvals: "success" });
    }
  });

  test("needs people in a pull request that another account opened from it", async () => {
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

  test("needs people where GitHub does not tell our own login", async () => {
    const bench = openPullRequestBench();
    bench.restart({ scm: (scm) => ({ ...scm, ownLogin: async () => undefined }) });
    const pull = await requestRollback(bench);
    expect(await bench.checks(pull.headSha)).toEqual({ plan: "success", approvals: "pending" });
  });
});

test("a stage that merges itself needs people when its branch holds a commit that is not the one we make", async () => {
  const branch = "meshroll/shop/half";
  const itself = campaignOf("", "    - { name: half, set: { production: 50 }, autoMerge: { notice: 10m } }\n");
  const bench = openStagePullBench({ campaign: itself });
  const readApprovals = async (): Promise<string | undefined> => {
    const checks = await bench.scm.findChecks(bench.remote.head(branch) ?? "");
    return checks.find(({ name }) => name === "meshroll/approvals")?.state;
  };
  await bench.round();
  const own = await readApprovals();
  bench.remote.commitTo(branch, { files: { "rollouts.yml": file(100) }, author: us, pusher: "mallory" });
  await bench.round();
  await bench.round();
  expect([own, await readApprovals()]).toEqual(["success", "pending"]);
  await bench.round(3_600_000);
  await bench.round();
  expect(bench.readMain()).toBe(file(0));
});
