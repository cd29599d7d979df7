import { makeMortal } from "#test/flow/faults/make-mortal";
import { fileAt, openPullRequestBench, type PullRequestBench } from "#test/flow/campaign/pull-request-bench";
import { expect, test } from "vitest";

/** One process dies at its n-th step of a rollback, another one goes on. Answers whether it lived that long. */
async function killAt(deadline: number): Promise<{ readonly bench: PullRequestBench; readonly isKilled: boolean }> {
  const bench = openPullRequestBench();
  bench.askRollback();
  let steps = 0;
  const tick = (): void => {
    steps += 1;
    // Nothing of it works any more, as after a kill.
    if (steps >= deadline) throw new Error("killed");
  };
  bench.restart({ scm: (scm) => makeMortal(scm, tick), repository: (git) => makeMortal(git, tick) });
  await bench.round().catch(() => undefined);
  bench.restart();
  for (let round = 0; round < 3; round += 1) await bench.round();
  return { bench, isKilled: steps >= deadline };
}

test("2.2 a rollback goes on by another process wherever the first one was killed, and doubles nothing", async () => {
  let deadline = 1;
  for (let isKilled = true; isKilled; deadline += 1) {
    const killed = await killAt(deadline);
    const { bench, isKilled: again } = killed;
    isKilled = again;
    const pulls = await bench.scm.findPullRequests(`meshroll/rollback/${bench.run.id}`);
    const name = `killed at step ${deadline}`;
    expect([name, bench.readMain(), pulls.map(({ state }) => state)]).toEqual([name, fileAt(0), ["merged"]]);
    expect([name, bench.hub.writes.toSorted()]).toEqual([
      name,
      ["check meshroll/approvals success", "check meshroll/plan success"],
    ]);
    const commits = await bench.repository.firstParents(bench.run.commit, bench.remote.head("main") ?? "");
    expect([name, commits.length]).toEqual([name, 1]);
  }
  // Every call of the way was an end once: fetch, read, push, open, list, try, check, merge.
  expect(deadline).toBeGreaterThan(30);
});
