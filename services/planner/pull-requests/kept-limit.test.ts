import { type Kept, type Scm, ScmUnavailable } from "#libs/scm";
import { fileAt, openPullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { wordsOf } from "#test/world/words";
import { expect, test } from "vitest";

/** An SCM that lists no reviews, except to urgent calls. */
function keep(scm: Scm, kept: () => Kept | undefined): Scm {
  let isUrgent = false;
  return {
    ...scm,
    urgently: async (work) => {
      isUrgent = true;
      const done = await work();
      isUrgent = false;
      return done;
    },
    reviews: async (number) => {
      const reason = kept();
      if (!isUrgent && reason !== undefined)
        throw new ScmUnavailable("reading waits", { retryAfterMs: 600_000, kept: reason });
      return scm.reviews(number);
    },
  };
}

const cases: readonly { readonly name: string; readonly kept: Kept; readonly want: string }[] = [
  {
    name: "with little left of GitHub's limit",
    kept: { kind: "rest", left: 99, limit: 1000 },
    want: "of the 1000 requests that GitHub takes in an hour 99 are left",
  },
  { name: "after a ban", kept: { kind: "headStart" }, want: "GitHub takes requests again after a ban" },
];

test.each(cases)("2.2 $name a rollback is merged, and a wait says what does not go on", async ({ kept, want }) => {
  const bench = openPullRequestBench();
  let now: Kept | undefined = kept;
  bench.restart({ scm: (scm) => keep(scm, () => now) });
  const { headSha } = await bench.propose("ana/more", { "rollouts.yml": fileAt(100) });
  const waits = await bench.round();
  expect(waits.map(({ scope, reason }) => [scope, reason.code, reason.until, wordsOf(reason)?.message])).toEqual([
    [
      "all",
      "GitHubLimitKept",
      new Date(bench.clock.now() + 600_000).toISOString(),
      `${want}: rollbacks go on, and checks, stages, comments and the dashboard wait`,
    ],
  ]);
  bench.askRollback();
  await bench.round();
  expect([bench.merged, bench.readMain(), await bench.checks(headSha)]).toEqual([1, fileAt(0), {}]);
  now = undefined;
  await bench.round();
  expect(Object.keys(await bench.checks(headSha))).toEqual(["plan", "approvals"]);
});
