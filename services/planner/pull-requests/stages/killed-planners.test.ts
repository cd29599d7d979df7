import { makeMortal } from "#test/flow/parts/make-mortal";
import { file } from "#test/flow/shop";
import { campaignOf } from "#test/flow/campaign/stage-campaign";
import { openStagePullBench, type StagePullBench } from "#test/flow/campaign/stage-pull-bench";
import { expect, test } from "vitest";

const campaign = campaignOf("", "    - { name: half, set: { production: 50 }, autoMerge: { notice: 30s } }\n");

/**
 * Kills a process at step `deadline` of a stage that merges itself, and lets another one continue. `isKilled`: it had so many
 * steps.
 */
async function killAt(deadline: number): Promise<{ readonly bench: StagePullBench; readonly isKilled: boolean }> {
  const bench = openStagePullBench({ campaign });
  let steps = 0;
  const tick = (): void => {
    steps += 1;
    // After a kill no call works.
    if (steps >= deadline) throw new Error("killed");
  };
  bench.restart({ scm: (scm) => makeMortal(scm, tick), repository: (git) => makeMortal(git, tick) });
  for (let round = 0; round < 3; round += 1) await bench.round().catch(() => undefined);
  bench.restart();
  for (let round = 0; round < 4; round += 1) await bench.round();
  return { bench, isKilled: steps >= deadline };
}

test("10.3 after a kill at any step another process continues a stage, and does nothing twice", async () => {
  let deadline = 1;
  for (let isKilled = true; isKilled; deadline += 1) {
    const { bench, isKilled: again } = await killAt(deadline);
    isKilled = again;
    const name = `killed at step ${deadline}`;
    const pulls = await bench.scm.findPullRequests("meshroll/shop/half");
    expect([name, bench.readMain(), pulls.map(({ state }) => state)]).toEqual([name, file(50), ["merged"]]);
    expect([name, pulls[0]?.labels]).toEqual([name, ["meshroll"]]);
    expect([name, bench.hub.edits]).toEqual([name, ["meshroll open 1", "meshroll label 1", "meshroll merge 1"]]);
    expect([name, bench.hub.writes.length]).toEqual([name, 2]);
    expect([name, Object.keys(bench.ledger.plans)]).toEqual([name, [pulls[0]?.headSha]]);
    expect([name, Object.keys(bench.ledger.stops)]).toEqual([name, []]);
  }
  // Each call was the last one once: fetch, read, push, open, label, list, try, checks, merge.
  expect(deadline).toBeGreaterThan(60);
});
