import { fileAt, openPullRequestBench, type PullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { expect, test } from "vitest";

type Files = Readonly<Record<string, string>>;

/** Pull requests of ana's, approved by ben and judged, are put into the queue in this order; answers their numbers. */
async function queueAll(bench: PullRequestBench, ...changes: readonly Files[]): Promise<readonly number[]> {
  const pulls = [];
  for (const [index, files] of changes.entries()) pulls.push(await bench.propose(`change-${index}`, files));
  for (const { number } of pulls) bench.hub.review(number, { author: "ben", state: "approved" });
  await bench.round();
  for (const { number, headSha } of pulls) {
    expect([number, await bench.checks(headSha), await bench.hub.as("ana").merge(number, headSha)]).toEqual([
      number,
      expect.not.objectContaining({ plan: "failure" }),
      { kind: "queued" },
    ]);
  }
  return pulls.map(({ number }) => number);
}

async function readStates(bench: PullRequestBench, numbers: readonly number[]): Promise<readonly unknown[]> {
  return Promise.all(numbers.map(async (number) => (await bench.scm.findPullRequest(number))?.state));
}

test("a group gets the checks of its pull request when those before it change none of our files", async () => {
  const bench = openPullRequestBench({ queue: true });
  const numbers = await queueAll(bench, { "README.md": "hello\n" }, { "rollouts.yml": fileAt(50, 100) });
  await bench.round();
  expect(await readStates(bench, numbers)).toEqual(["merged", "merged"]);
  expect(bench.readMain()).toBe(fileAt(50, 100));
});

test("of two changes of our files the second waits until main has the first, and is judged again then", async () => {
  const bench = openPullRequestBench({ queue: true });
  const numbers = await queueAll(bench, { "rollouts.yml": fileAt(50, 100) }, { "rollouts.yml": fileAt(90) });
  const [, second] = await bench.scm.queuedGroups("main");
  await bench.round();
  expect(await readStates(bench, numbers)).toEqual(["merged", "open"]);
  expect(await bench.checks(second?.headSha ?? "")).toEqual({ plan: "pending", approvals: "pending" });
  await bench.round();
  expect(await readStates(bench, numbers)).toEqual(["merged", "merged"]);
  expect(bench.readMain()).toBe(fileAt(90, 100));
});

test("what a pull request waits for is red in its group, which does not hold up the queue", async () => {
  const bench = openPullRequestBench({ queue: true });
  const [number = 0] = await queueAll(bench, { "rollouts.yml": fileAt(50, 100) });
  const [group] = await bench.scm.queuedGroups("main");
  bench.isClusterSeen = false;
  await bench.round();
  expect(await bench.checks(group?.headSha ?? "")).toMatchObject({ plan: "failure" });
  expect([await bench.scm.queuedGroups("main"), await readStates(bench, [number])]).toEqual([[], ["open"]]);
});

test("a commit that is a pull request's head as well gets the checks of that one alone", async () => {
  const bench = openPullRequestBench();
  const approved = await bench.propose("approved", { "rollouts.yml": fileAt(50, 100) });
  bench.hub.review(approved.number, { author: "ben", state: "approved" });
  const other = await bench.propose("other", { "rollouts.yml": fileAt(50, 100) }, "eve");
  bench.restart({
    scm: (scm) => ({ ...scm, queuedGroups: async () => [{ number: approved.number, headSha: other.headSha }] }),
  });
  await bench.round();
  expect(await bench.checks(other.headSha)).toEqual({ plan: "success", approvals: "pending" });
});
