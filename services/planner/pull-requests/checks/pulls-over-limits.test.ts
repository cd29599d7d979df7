import { GitOverLimit, type RolloutsRepository } from "#libs/git";
import { ScmUnavailable, type PullRequest } from "#libs/scm";
import { fileAt, openPullRequestBench, type PullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { sentenceOf, wordsOf } from "#test/world/words";
import { describe, expect, test } from "vitest";

import type { JudgeAnswer } from "../judging/port.ts";

/** A clone in which these heads exceed git's limits; counts how often they were tried. */
function bombAt(isBomb: (head: string) => boolean) {
  const counts = { tries: 0 };
  const wrap = (repository: RolloutsRepository): RolloutsRepository => ({
    ...repository,
    async tryMerge(main, head, inside) {
      if (!isBomb(head)) return repository.tryMerge(main, head, inside);
      counts.tries += 1;
      throw new GitOverLimit("room", "git needed more memory, time or room than it gets");
    },
  });
  return { counts, wrap };
}

async function readPlan(bench: PullRequestBench, sha: string): Promise<readonly unknown[]> {
  const found = (await bench.scm.findChecks(sha)).find(({ name }) => name === "meshroll/plan");
  return [found?.state, found?.title];
}

describe("10.1 a pull request that exceeds a limit is red, and only that one", () => {
  test("a git bomb is one red check with a code, and every other pull request is judged", async () => {
    const bench = openPullRequestBench();
    const bomb = await bench.propose("eve/bomb", { "rollouts.yml": fileAt(60) });
    const good = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
    const { counts, wrap } = bombAt((head) => head === bomb.headSha);
    bench.restart({ strangers: wrap });
    const waits = await bench.round();
    expect(await bench.checks(good.headSha)).toEqual({ plan: "success", approvals: "pending" });
    expect(await bench.checks(bomb.headSha)).toEqual({ plan: "failure", approvals: "pending" });
    expect(await readPlan(bench, bomb.headSha)).toEqual([
      "failure",
      "cannot be judged: git needed more memory, time or room than it gets",
    ]);
    expect(waits.map(({ scope, reason }) => [scope, reason.code])).toEqual([[`pull/${bomb.number}`, "GitOverLimit"]]);
    expect(counts.tries).toBe(1);
  });

  test("a file that grows by more than 64 KiB is red with the limit and its size; one as large on main can be changed", async () => {
    const bench = openPullRequestBench();
    const large = await bench.propose("eve/large", { "rollouts.yml": `${fileAt(60)}#${"x".repeat(64 * 1024)}` });
    await bench.round();
    expect(await readPlan(bench, large.headSha)).toEqual([
      "failure",
      expect.stringMatching(/^rollouts\.yml:1:1 error\[MR1015\]: the file has \d+ bytes; 65597 is the most/u),
    ]);
    bench.remote.commitToMain({ files: { "rollouts.yml": `${fileAt(50)}#${"x".repeat(64 * 1024)}` } });
    const good = await bench.propose("ana/notes", { "notes.md": "x" });
    await bench.round();
    const moves = await bench.propose("ana/more", { "rollouts.yml": `${fileAt(60)}#${"x".repeat(64 * 1024)}` });
    await bench.round();
    expect(await bench.checks(good.headSha)).toEqual({ plan: "neutral", approvals: "neutral" });
    expect(await bench.checks(moves.headSha)).toEqual({ plan: "success", approvals: "pending" });
  });

  test("the same head is tried again after a minute, then two, then four, even when main changes", async () => {
    const bench = openPullRequestBench();
    const bomb = await bench.propose("eve/bomb", { "rollouts.yml": fileAt(60) });
    const { counts, wrap } = bombAt((head) => head === bomb.headSha);
    bench.restart({ strangers: wrap });
    const seen: number[] = [];
    for (const seconds of [0, 30, 31, 60, 61, 120, 121]) {
      await bench.clock.advance(seconds * 1000);
      bench.remote.commitToMain({ files: { "notes.md": String(seconds) } });
      await bench.round();
      seen.push(counts.tries);
    }
    expect(seen).toEqual([1, 1, 2, 2, 3, 3, 4]);
  });

  test("a new head is judged at once, and a success clears the refusal", async () => {
    const bench = openPullRequestBench();
    const bomb = await bench.propose("eve/bomb", { "rollouts.yml": fileAt(60) });
    const { wrap } = bombAt((head) => head === bomb.headSha);
    bench.restart({ strangers: wrap });
    await bench.round();
    const fixed = bench.remote.commitTo("eve/bomb", { files: { "rollouts.yml": fileAt(70) }, author: "eve" });
    expect([await bench.round(), await bench.checks(fixed)]).toEqual([[], { plan: "success", approvals: "pending" }]);
  });

  const refusals: readonly JudgeAnswer[] = [
    { kind: "refused", code: "JudgeTimeLimit", why: "judging it took longer than 10 s" },
    { kind: "refused", code: "JudgeMemoryLimit", why: "judging it took more than 512 MiB" },
    { kind: "refused", code: "JudgeFault", why: "judging it failed: x is not iterable" },
  ];
  test.each(refusals)("a refusal of the judge is red with the judge's reason: %o", async (answer) => {
    const bench = openPullRequestBench();
    const hard = await bench.propose("eve/hard", { "rollouts.yml": fileAt(60) });
    const good = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
    bench.restart({
      judge: (judge) => ({
        ...judge,
        judge: async (snapshot, question) =>
          question.pull.headSha === hard.headSha ? answer : judge.judge(snapshot, question),
      }),
    });
    const waits = await bench.round();
    expect(waits.map(({ scope, reason }) => [scope, reason.code])).toEqual([
      [`pull/${hard.number}`, answer.kind === "refused" ? answer.code : ""],
    ]);
    expect(await bench.checks(hard.headSha)).toEqual({ plan: "failure", approvals: "pending" });
    expect(await bench.checks(good.headSha)).toEqual({ plan: "success", approvals: "pending" });
  });

  test("one for which GitHub never answers does not delay the others; three in a row are an outage", async () => {
    const bench = openPullRequestBench();
    const odd = await bench.propose("eve/odd", { "rollouts.yml": fileAt(60) });
    const good = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
    const fail = (isOdd: (number: number) => boolean): void =>
      bench.restart({
        scm: (scm) => ({
          ...scm,
          reviews: async (number) => {
            if (isOdd(number)) throw new ScmUnavailable("GitHub does not answer");
            return scm.reviews(number);
          },
        }),
      });
    fail((number) => number === odd.number);
    expect((await bench.round()).map(({ reason }) => reason.code)).toEqual(["PullRequestUnread"]);
    expect(await bench.checks(good.headSha)).toEqual({ plan: "success", approvals: "pending" });
    await bench.propose("ana/third", { "rollouts.yml": fileAt(70) });
    fail(() => true);
    await expect(bench.round()).rejects.toThrow(ScmUnavailable);
  });
});

describe("rollbacks and stages go before strangers' pull requests", () => {
  test("2.2 a rollback is merged in a round in which all fetches for strangers hang", async () => {
    const bench = openPullRequestBench();
    const stuck = Promise.withResolvers<never>();
    await bench.propose("eve/bomb", { "rollouts.yml": fileAt(60) });
    bench.restart({ strangers: (repository) => ({ ...repository, fetch: async () => stuck.promise }) });
    bench.askRollback();
    await bench.round();
    expect([bench.merged, bench.readMain()]).toEqual([1, fileAt(0)]);
  });

  test("2.2 a git bomb on a rollback's branch is red there, and waits for a person", async () => {
    const bench = openPullRequestBench();
    const { wrap } = bombAt((head) => head !== bench.remote.head("main"));
    bench.restart({ repository: wrap });
    bench.askRollback();
    const good = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
    const waits = await bench.round();
    expect(waits.every(({ scope }) => scope.startsWith("run/") || scope.startsWith("pull/"))).toBe(true);
    expect(waits.map(({ reason }) => reason.code)).toContain("GitOverLimit");
    expect((await readPlan(bench, good.headSha))[1]).toMatch(/^held by ben/);
  });

  test("a thousand pull requests of one author: each round judges a share, and another author is among the first", async () => {
    const bench = openPullRequestBench();
    const flood: PullRequest[] = [];
    for (let index = 0; index < 120; index += 1)
      flood.push(await bench.propose(`eve/${index}`, { [`notes-${index}.md`]: "x" }, "eve"));
    const good = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
    const waits = await bench.round();
    const judged = async (): Promise<number> => {
      const found = await Promise.all(flood.map(async ({ headSha }) => bench.scm.findChecks(headSha)));
      return found.filter(({ length }) => length > 0).length;
    };
    expect(waits.map(({ reason }) => [reason.code, sentenceOf(wordsOf(reason)).slice(0, 38)])).toEqual([
      ["ChecksQueued", "81 pull requests wait for their turn t"],
    ]);
    const counts = [await judged()];
    for (let round = 0; round < 3; round += 1) {
      await bench.round();
      counts.push(await judged());
    }
    expect(counts).toEqual([39, 78, 117, 120]);
    expect(await bench.checks(good.headSha)).toEqual({ plan: "success", approvals: "pending" });
  });

  test("a round without time left leaves the rest to the next one", async () => {
    const bench = openPullRequestBench();
    const pulls: PullRequest[] = [];
    for (const name of ["a", "b", "c"]) pulls.push(await bench.propose(`${name}/x`, { "rollouts.yml": fileAt(60) }));
    bench.restart({
      judge: (judge) => ({
        ...judge,
        async judge(snapshot, question) {
          await bench.clock.advance(15_000);
          return judge.judge(snapshot, question);
        },
      }),
    });
    const states: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      await bench.round();
      const found = await Promise.all(pulls.map(async ({ headSha }) => bench.scm.findChecks(headSha)));
      states.push(found.filter(({ length }) => length > 0).length);
    }
    expect(states).toEqual([2, 3]);
  });

  test("while the judge is unavailable nothing is posted, and the round fails with the reason", async () => {
    const bench = openPullRequestBench();
    const good = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
    bench.restart({ judge: (judge) => ({ ...judge, judge: async () => ({ kind: "unavailable", why: "no room" }) }) });
    await expect(bench.round()).rejects.toThrow("no room");
    expect(await bench.checks(good.headSha)).toEqual({});
  });
});
