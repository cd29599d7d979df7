import { fileAt, openPullRequestBench, type PullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { createSilentLogger } from "#test/flow/parts/silent-logger";
import { wordsOf } from "#test/world/words";
import { describe, expect, test } from "vitest";

import { listHandRollbacks } from "./hand-rollbacks.ts";

async function listPulls(bench: PullRequestBench, suffix = ""): Promise<readonly string[]> {
  const pulls = await bench.scm.findPullRequests(`meshroll/rollback/${bench.run.id}${suffix}`);
  return pulls.map(({ state, mergedBy }) => [state, mergedBy].filter((word) => word !== undefined).join(" by "));
}

function codesOf(waits: Awaited<ReturnType<PullRequestBench["round"]>>): readonly string[] {
  return waits.map(({ reason }) => reason.code);
}

describe("2.2 a rollback by pull request", () => {
  test("2.2 is opened, checked and merged by the planner, without any approval", async () => {
    const bench = openPullRequestBench();
    bench.askRollback();
    const waits = await bench.round();
    expect(bench.readMain()).toBe(fileAt(0));
    expect([bench.merged, await listPulls(bench)]).toEqual([1, ["merged by meshroll"]]);
    expect(codesOf(waits)).toEqual(["RollbackPending"]);
    expect(await bench.round()).toEqual([]);
    expect(bench.merged).toBe(1);
  });

  test("2.2 goes to the front of a merge queue, gets the checks of its group, and is merged in the same round", async () => {
    const bench = openPullRequestBench({ queue: true });
    const other = await bench.propose("docs", { "README.md": "hello\n" });
    await bench.round();
    expect(await bench.scm.merge(other.number, other.headSha)).toEqual({ kind: "queued" });
    bench.askRollback();
    expect(await bench.round()).toMatchObject([{ reason: { code: "RollbackPending", waitsFor: { kind: "queue" } } }]);
    expect([bench.readMain(), await listPulls(bench)]).toEqual([fileAt(0), ["merged by merge-queue"]]);
  });

  test("2.2 rolls its own buckets back, and leaves what others got meanwhile", async () => {
    const bench = openPullRequestBench();
    bench.remote.commitToMain({ files: { "rollouts.yml": fileAt(50, 25), "README.md": "hello\n" } });
    bench.askRollback();
    await bench.round();
    expect(bench.readMain()).toBe(fileAt(0, 25));
  });

  test("2.2 a person's commit on the branch is never lost: one that leads elsewhere waits for its owner", async () => {
    const bench = openPullRequestBench({ requiredReviews: 1 });
    bench.askRollback();
    await bench.round();
    const branch = `meshroll/rollback/${bench.run.id}`;
    const theirs = bench.remote.commitTo(branch, { files: { "rollouts.yml": fileAt(20) }, author: "cleo" });
    const waits = [...(await bench.round()), ...(await bench.round())];
    expect(bench.remote.head(branch)).toBe(theirs);
    expect(new Set(codesOf(waits))).toEqual(new Set(["RollbackTaken"]));
    expect(bench.readMain()).toBe(fileAt(50));
    expect(await bench.checks(theirs)).toEqual({ plan: "failure", approvals: "pending" });
  });

  test("2.2 a person's commit that does not change the result is merged with it, once another person approved", async () => {
    const bench = openPullRequestBench();
    bench.askRollback();
    const branch = `meshroll/rollback/${bench.run.id}`;
    bench.remote.commitTo(branch, { files: { "rollouts.yml": `# INC-9921\n${fileAt(0)}` }, author: "cleo" });
    const { number } = await bench.scm.openPullRequest({ branch, base: "main", title: "By hand", body: "" });
    await bench.round();
    expect(bench.readMain()).toBe(fileAt(50));
    for (const approver of ["ben", "dora"]) bench.hub.review(number, { author: approver, state: "approved" });
    await bench.round();
    expect(bench.readMain()).toBe(`# INC-9921\n${fileAt(0)}`);
  });

  test("2.2 with another file in the pull request meshroll does not merge it", async () => {
    const bench = openPullRequestBench();
    bench.askRollback();
    const branch = `meshroll/rollback/${bench.run.id}`;
    bench.remote.commitTo(branch, { files: { "rollouts.yml": fileAt(0), CODEOWNERS: "* @cleo\n" }, author: "cleo" });
    await bench.scm.openPullRequest({ branch, base: "main", title: "And this", body: "" });
    expect(codesOf(await bench.round())).toEqual(["RollbackTaken"]);
    expect(bench.readMain()).toBe(fileAt(50));
  });

  test("2.2 a fork's branch of our name is not ours to merge", async () => {
    const bench = openPullRequestBench();
    bench.askRollback();
    bench.restart({
      scm: (scm) => ({
        ...scm,
        listOpenPullRequests: async (base) =>
          (await scm.listOpenPullRequests(base)).map((pull) => ({ ...pull, fork: true as const })),
      }),
    });
    await bench.round();
    expect(bench.readMain()).toBe(fileAt(50));
  });

  test("10.3 one that a person closed is not opened again; a new rollback gets a branch of its own", async () => {
    const bench = openPullRequestBench({ requiredReviews: 1 });
    bench.askRollback();
    await bench.round();
    bench.hub.closePullRequest(1);
    const waits = await bench.round();
    expect([codesOf(waits), await listPulls(bench)]).toEqual([["RollbackClosed"], ["closed"]]);
    expect(wordsOf(waits[0]?.reason)?.command).toBe(`meshroll rollback run/${bench.run.id} --reason "…"`);
    bench.stops.set("rollback", {
      ...bench.askRollback(),
      resume: { at: "2026-11-19T12:30:00.000Z", who: "ben", why: "not now" },
    });
    bench.askRollback({ id: "back-2", at: "2026-11-19T13:00:00.000Z" });
    await bench.round();
    expect([await listPulls(bench), await listPulls(bench, "-2")]).toEqual([["closed"], ["open"]]);
  });

  test("2.2 a merge that GitHub refuses is reported with its reason, and tried once a minute", async () => {
    const bench = openPullRequestBench({ requiredReviews: 1 });
    bench.askRollback();
    let tries = 0;
    bench.restart({
      scm: (scm) => ({
        ...scm,
        merge: async (number, head) => {
          tries += 1;
          return scm.merge(number, head);
        },
      }),
    });
    const waits = await bench.round();
    await bench.round();
    expect([codesOf(waits), tries]).toEqual([["RollbackMergeRefused"], 1]);
    expect(wordsOf(waits[0]?.reason)?.message).toContain("at least 1 approving review is required");
    await bench.clock.advance(60_000);
    bench.hub.review(1, { author: "cleo", state: "approved" });
    await bench.round();
    expect([tries, bench.readMain()]).toEqual([2, fileAt(0)]);
  });

  test("2.2 where branches must be up to date it gets main's commits at once, and is merged at the new head", async () => {
    const bench = openPullRequestBench({ strict: true });
    bench.askRollback();
    const heads: string[] = [];
    let moved = false;
    bench.restart({
      scm: (scm) => ({
        ...scm,
        merge: async (number, head) => {
          // Main changes between judging and merging, in another file.
          if (!moved) bench.remote.commitToMain({ files: { "README.md": "hello\n" } });
          moved = true;
          heads.push(head);
          expect(await bench.checks(head)).toEqual({ plan: "success", approvals: "success" });
          return scm.merge(number, head);
        },
      }),
    });
    const first = await bench.round();
    expect(codesOf(first)).toEqual(["RollbackMergeRefused"]);
    expect(wordsOf(first[0]?.reason)?.message).toContain("the branch has to be up to date with main");
    await bench.round();
    expect([new Set(heads).size, bench.readMain(), bench.merged]).toEqual([2, fileAt(0), 1]);
  });

  test("2.2 for a file that only a person can set back the wait has the commands", async () => {
    const bench = openPullRequestBench();
    bench.remote.commitToMain({ files: { "rollouts.yml": "production: {\n" } });
    bench.askRollback();
    const [wait] = await bench.round();
    expect(wordsOf(wait?.reason)).toMatchObject({ code: "RollbackByHand", owner: "ben" });
    expect(wordsOf(wait?.reason)?.message).toContain("rollouts.yml on main does not parse");
    expect(wordsOf(wait?.reason)?.command).toContain(`git switch -c meshroll/rollback/${bench.run.id} origin/main`);
  });
});

describe("2.2 a rollback without GitHub", () => {
  test("2.2 names the commands that bring main back, and ends when main says so", async () => {
    const bench = openPullRequestBench();
    bench.askRollback();
    const [wait] = await listHandRollbacks(
      { repository: bench.repository, log: createSilentLogger() },
      bench.snapshot(),
    );
    expect(wordsOf(wait?.reason)?.command).toBe(
      `git fetch origin && git switch -c meshroll/rollback/${bench.run.id} origin/main && ` +
        `git restore --source ${bench.before} -- rollouts.yml && ` +
        `git commit -am "Roll back run ${bench.run.id}" && git push origin meshroll/rollback/${bench.run.id}`,
    );
    expect(wordsOf(wait?.reason)?.message).toContain("GitHub is not configured");
    bench.remote.commitToMain({ files: { "rollouts.yml": fileAt(0) } });
    expect(
      await listHandRollbacks({ repository: bench.repository, log: createSilentLogger() }, bench.snapshot()),
    ).toEqual([]);
  });

  test("2.2 never reverts later changes of other buckets: a person must edit the file then", async () => {
    const bench = openPullRequestBench();
    bench.remote.commitToMain({ files: { "rollouts.yml": fileAt(50, 25) } });
    bench.askRollback();
    const [wait] = await listHandRollbacks(
      { repository: bench.repository, log: createSilentLogger() },
      bench.snapshot(),
    );
    expect(wordsOf(wait?.reason)?.command).toContain(`git diff HEAD ${bench.before} -- rollouts.yml`);
    expect(wordsOf(wait?.reason)?.command).not.toContain("git restore");
  });
});
