import { GitRefused } from "#libs/git";
import { fileAt, openPullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { makeStop } from "#test/world/build";
import { wordsOf } from "#test/world/words";
import { expect, test } from "vitest";

test("10.1 every pull request to main gets both checks, ours or not", async () => {
  const bench = openPullRequestBench();
  const forward = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
  const broken = await bench.propose("ana/broken", { "rollouts.yml": "production: 7\n" });
  const other = await bench.propose("ana/docs", { "README.md": "hello\n" });
  await bench.round();
  expect(await bench.checks(forward.headSha)).toEqual({ plan: "success", approvals: "pending" });
  expect(await bench.checks(broken.headSha)).toEqual({ plan: "failure", approvals: "pending" });
  expect(await bench.checks(other.headSha)).toEqual({ plan: "neutral", approvals: "neutral" });
});

test("10.1 a pull request that is behind main is judged as the merge would leave it", async () => {
  const bench = openPullRequestBench();
  const pull = await bench.propose("ana/staging", { "rollouts.yml": fileAt(50, 75) });
  bench.remote.commitToMain({ files: { "rollouts.yml": fileAt(60) } });
  await bench.round();
  const [plan] = await bench.scm.findChecks(pull.headSha);
  expect(plan).toMatchObject({ state: "success", title: expect.stringMatching(/^[12] of 8 namespaces move/) });
  expect(plan?.summary).not.toContain("| `production` |");
});

test("10.3 an unchanged check is not written again, by this process or the next", async () => {
  const bench = openPullRequestBench();
  await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
  await bench.round();
  await bench.round();
  bench.restart();
  await bench.round();
  expect(bench.hub.writes).toEqual(["check meshroll/plan success", "check meshroll/approvals pending"]);
});

test("10.3 a head costs at most eight writes, and the last one can only be red", async () => {
  const bench = openPullRequestBench();
  const pull = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
  let waits = await bench.round();
  for (let turn = 0; turn < 10; turn += 1) {
    if (turn % 2 === 0) bench.stops.set("h", makeStop({ id: "h", scope: "all", why: `again ${turn}` }));
    else bench.stops.delete("h");
    waits = await bench.round();
  }
  expect(bench.hub.writes).toHaveLength(8);
  expect(bench.hub.writes.at(-1)).toBe("check meshroll/plan failure");
  expect((await bench.scm.findChecks(pull.headSha))[0]?.summary).toContain("This head is not judged again");
  expect(waits.map(({ scope, reason }) => [scope, reason.code, wordsOf(reason)?.command])).toEqual([
    [`pull/${pull.number}`, "ChecksSpent", 'git commit --allow-empty -m "Judge again" && git push origin ana/more'],
  ]);
  const next = bench.remote.commitTo("ana/more", { files: { "x.md": "x\n" } });
  await bench.round();
  expect(await bench.checks(next)).toMatchObject({ plan: "success" });
});

test("10.3 changes of the text with the same verdict cost at most four writes", async () => {
  const bench = openPullRequestBench();
  await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
  for (let turn = 0; turn < 9; turn += 1) {
    bench.stops.set("h", makeStop({ id: "h", scope: "all", why: `another reason ${turn}` }));
    await bench.round();
  }
  expect(bench.hub.writes).toHaveLength(4);
});

test("a pull request that cannot be read is reported, and does not delay the others", async () => {
  const bench = openPullRequestBench();
  const lost = await bench.propose("ana/lost", { "rollouts.yml": fileAt(90) });
  const good = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
  bench.restart({
    strangers: (repository) => ({
      ...repository,
      fetchPullRequest: async (number, head) => {
        if (number === lost.number) throw new GitRefused("the fork is gone", "ask its owner");
        await repository.fetchPullRequest(number, head);
      },
    }),
  });
  const waits = await bench.round();
  expect(await bench.checks(good.headSha)).toMatchObject({ plan: "success" });
  expect(waits.map(({ reason }) => wordsOf(reason)?.message)).toEqual([
    "pull request 1 has no checks yet: the fork is gone; to fix it: ask its owner",
  ]);
});
