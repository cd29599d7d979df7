import { openPullRequestBench, type PullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { makeRun } from "#test/world/build";
import { expect, test } from "vitest";

const guard = "(a|b|c|d):\n  old: 100\n";

function fileAt(percent: number, more = ""): string {
  return `production:\n  old: ${100 - percent}\n  new: ${percent}\n\n.*-stg:\n  old: 100\n  new: 0\n${more}`;
}

const minute = 60_000;

/** Commits to main with this date; the planner records it as a run a while later. */
async function moveMain(bench: PullRequestBench, text: string, dateMs: number, recordedAfterMs = 0): Promise<void> {
  const before = bench.remote.head("main") ?? "";
  const commit = bench.remote.commitToMain({ files: { "rollouts.yml": text }, at: dateMs });
  await bench.clock.advance(recordedAfterMs);
  const startedAt = new Date(bench.clock.now()).toISOString();
  const run = makeRun(commit, before, { startedAt, order: Object.keys(bench.runs).length + 1 });
  bench.runs[run.id] = run;
}

interface GrowthRow {
  readonly name: string;
  /** `rollouts.yml` of main and of the pull request at the time of the approval. */
  readonly main: string;
  readonly proposed: string;
  /** What happens after the approval. */
  readonly next: (bench: PullRequestBench) => Promise<unknown>;
  readonly want: readonly string[];
}

const guarded = { main: fileAt(0, guard), proposed: fileAt(100, guard) };
const counts = ["success", "1 of 1 approvals"];
const asksAgain = ["pending", "0 of 1 approvals; cleo approved 2 of 6 workloads"];

const rows: readonly GrowthRow[] = [
  {
    name: "is needed again when main drops the bucket that held others back",
    ...guarded,
    next: async (bench) => moveMain(bench, fileAt(0), bench.clock.now()),
    want: asksAgain,
  },
  {
    name: "is needed again when main drops that bucket by a commit dated before the approval",
    ...guarded,
    next: async (bench) => moveMain(bench, fileAt(0), bench.clock.now() - 60 * minute),
    want: asksAgain,
  },
  {
    name: "counts when main changes another bucket",
    ...guarded,
    next: async (bench) =>
      moveMain(bench, fileAt(0, guard).replace("old: 100\n  new: 0\n(", "old: 50\n  new: 50\n("), bench.clock.now()),
    want: counts,
  },
  {
    name: "counts when the list gets shorter",
    main: fileAt(0),
    proposed: fileAt(100),
    next: async (bench) => moveMain(bench, fileAt(0, guard), bench.clock.now()),
    want: counts,
  },
  {
    name: "counts when main gets another file",
    ...guarded,
    next: async (bench) => bench.remote.commitToMain({ files: { "README.md": "hello\n" }, at: bench.clock.now() }),
    want: counts,
  },
  {
    name: "is needed again while the planner has not judged main's new commit",
    ...guarded,
    next: async (bench) =>
      bench.remote.commitToMain({ files: { "rollouts.yml": fileAt(0) }, at: bench.clock.now() - minute }),
    want: asksAgain,
  },
];

async function readApprovals(bench: PullRequestBench, head: string): Promise<readonly unknown[]> {
  const found = (await bench.scm.findChecks(head)).find(({ name }) => name === "meshroll/approvals");
  return [found?.state, found?.title];
}

test.each(rows)("10.1 an approval $name", async ({ main, proposed, next, want }) => {
  const bench = openPullRequestBench();
  await moveMain(bench, main, bench.clock.now());
  await bench.clock.advance(minute);
  const { number, headSha } = await bench.propose("ana/more", { "rollouts.yml": proposed });
  bench.hub.review(number, { author: "cleo", state: "approved" });
  await bench.round();
  expect(await readApprovals(bench, headSha)).toEqual(counts);
  await bench.clock.advance(minute);
  await next(bench);
  bench.restart();
  await bench.round();
  expect(await readApprovals(bench, headSha)).toEqual(want);
});

test("10.1 an approval between main's change and the check that shows it does not count, and the next one does", async () => {
  const bench = openPullRequestBench();
  await moveMain(bench, fileAt(0, guard), bench.clock.now());
  await bench.clock.advance(minute);
  const { number, headSha } = await bench.propose("ana/more", { "rollouts.yml": fileAt(100, guard) });
  await bench.round();
  await bench.clock.advance(minute);
  const before = bench.clock.now();
  bench.hub.review(number, { author: "cleo", state: "approved" });
  await moveMain(bench, fileAt(0), before - minute, 5 * minute);
  await bench.round();
  const early = await readApprovals(bench, headSha);
  await bench.clock.advance(minute);
  bench.hub.review(number, { author: "cleo", state: "approved" });
  await bench.round();
  expect([early, await readApprovals(bench, headSha)]).toEqual([asksAgain, counts]);
  const { summary = "" } =
    (await bench.scm.findChecks(headSha)).find(({ name }) => name === "meshroll/approvals") ?? {};
  expect(summary).toContain("by **cleo**");
});
