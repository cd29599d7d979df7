import { ScmUnavailable } from "#libs/scm";
import { fileAt, openPullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { createSilentLogger } from "#test/flow/parts/silent-logger";
import { makeStop } from "#test/world/build";
import { expect, test } from "vitest";

import { createInProcessJudge } from "#test/flow/parts/in-process-judge";
import type { ScmLink } from "./scm-link.ts";
import { watchPullRequests, type PullRequestWatch } from "./watch-pull-requests.ts";

function openWatch(withGithub = true, page?: string) {
  const bench = openPullRequestBench();
  const end = new AbortController();
  const counts = { rounds: 0, merged: 0 };
  const leading = { isSure: true };
  let bannedUntil = 0;
  const link: ScmLink = {
    scm: {
      ...bench.scm,
      findPullRequests: async (branch) => {
        const left = bannedUntil - bench.clock.now();
        if (left > 0) throw new ScmUnavailable("it waits", { retryAfterMs: left });
        return bench.scm.findPullRequests(branch);
      },
      listOpenPullRequests: async (base) => {
        counts.rounds += 1;
        return bench.scm.listOpenPullRequests(base);
      },
    },
    repository: bench.repository,
    strangers: bench.repository,
    judge: createInProcessJudge(),
    base: "main",
    pollMs: 30_000,
  };
  const onMerged = (): void => void (counts.merged += 1);
  const { repository, clock } = bench;
  const parts = {
    repository,
    clock,
    log: createSilentLogger(),
    onMerged,
    leads: () => leading.isSure,
    ...(withGithub ? { link } : {}),
    ...(page === undefined ? {} : { page }),
  };
  const watch: PullRequestWatch = watchPullRequests(parts, end.signal);
  const notice = async (): Promise<void> => {
    watch.notice(bench.snapshot());
    await clock.advance(1200);
  };
  const close = async (): Promise<void> => {
    end.abort();
    await clock.advance(0);
    await watch.done;
  };
  const banUntil = (at: number): void => void (bannedUntil = at);
  return { bench, watch, banUntil, counts, leading, clock, notice, close };
}

test("no pull requests are read while another planner may lead", async () => {
  const { counts, leading, clock, notice, close } = openWatch();
  leading.isSure = false;
  await notice();
  await clock.advance(62_500);
  const before = counts.rounds;
  leading.isSure = true;
  await clock.advance(31_000);
  expect([before, counts.rounds]).toEqual([0, 1]);
  await close();
});

test("pull requests are read at each poll, and not judged before the first reconcile", async () => {
  const { counts, clock, notice, close } = openWatch();
  await clock.advance(120_000);
  const before = counts.rounds;
  await notice();
  const first = counts.rounds;
  await notice();
  await clock.advance(62_500);
  expect([before, first, counts.rounds]).toEqual([0, 1, 3]);
  await close();
});

test.each([
  { name: "links to the page", page: "https://meshroll.example.com/mesh", want: "https://meshroll.example.com/mesh/" },
  { name: "links to GitHub's own page if no page is configured", page: undefined, want: undefined },
])("a check $name", async ({ page, want }) => {
  const { bench, notice, close } = openWatch(true, page);
  const { headSha } = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
  await notice();
  const posted = await bench.scm.findChecks(headSha);
  expect(posted.map(({ name, detailsUrl }) => [name, detailsUrl])).toEqual([
    ["meshroll/plan", want],
    ["meshroll/approvals", want],
  ]);
  await close();
});

test("10.1 a stop that the ledger got turns a check red without waiting for the poll", async () => {
  const { bench, notice, close } = openWatch();
  const { headSha } = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
  await notice();
  const before = await bench.checks(headSha);
  bench.stops.set("h", makeStop({ id: "h", scope: "all" }));
  await notice();
  expect([before["plan"], (await bench.checks(headSha))["plan"]]).toEqual(["success", "failure"]);
  await close();
});

test("2.2 a merge is reported at once, so that main is read", async () => {
  const { bench, counts, notice, close } = openWatch();
  bench.askRollback();
  await notice();
  expect([counts.merged, bench.readMain()]).toEqual([1, fileAt(0)]);
  await close();
});

test("an outage of GitHub is a wait, which ends with it", async () => {
  const { bench, watch, clock, notice, close } = openWatch();
  bench.askRollback();
  bench.hub.setUnavailable(true);
  await notice();
  const during = watch.waits().map(({ scope, reason }) => `${scope} ${reason.code}`);
  bench.hub.setUnavailable(false);
  await clock.advance(31_500);
  watch.notice(bench.snapshot());
  await clock.advance(200);
  expect(during).toEqual(["all GitHubUnavailable", `run/${bench.run.id} GitHubUnavailable`]);
  expect([bench.readMain(), watch.waits()]).toEqual([fileAt(0), []]);
  await close();
});

test("2.2 the end of a ban starts a round at once, not the next poll", async () => {
  const { bench, watch, banUntil, clock, notice, close } = openWatch();
  bench.askRollback();
  banUntil(clock.now() + 12_000);
  await notice();
  const during = watch.waits().map(({ scope, reason }) => `${scope} ${reason.code}`);
  await clock.advance(13_000);
  expect(during).toEqual(["all GitHubUnavailable", `run/${bench.run.id} GitHubUnavailable`]);
  expect(bench.readMain()).toBe(fileAt(0));
  await close();
});

test("2.2 without GitHub a rollback names the commands for a person, and nothing is polled", async () => {
  const { bench, watch, counts, notice, close } = openWatch(false);
  bench.askRollback();
  await notice();
  expect([counts.rounds, watch.waits().map(({ reason }) => reason.code)]).toEqual([0, ["RollbackByHand"]]);
  await close();
});

test("a bug does not end the loop: it is reported, and the next round tries again", async () => {
  const { bench, watch, clock, notice, close } = openWatch();
  const { headSha } = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
  const { ledger: _, ...snapshot } = bench.snapshot();
  // A snapshot at which judging throws.
  watch.notice({ ...snapshot, ledger: undefined, specs: undefined as never });
  await clock.advance(1200);
  const during = watch.waits().map(({ reason }) => reason.code);
  await notice();
  expect([during, (await bench.checks(headSha))["plan"]]).toEqual([["PullRequestUnread"], "success"]);
  await close();
});
