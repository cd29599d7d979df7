import { applyChange, decide, isLedgerDecision, type Snapshot } from "#libs/plan";
import fc from "fast-check";
import { expect, test } from "vitest";

import { makeMigrated, makeCluster, makeWorkload, runId } from "./build.ts";
import { makeCampaign, makeCampaignSnapshot } from "./campaigns/campaign.ts";

const names = ["a", "b", "c", "d", "e"];
const minute = 60_000;

/** Some clusters in waves; the others are not named. */
const orders = fc
  .tuple(fc.shuffledSubarray(names), fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 }))
  .map(([chosen, sizes]) => {
    const waves: string[][] = [];
    let rest = chosen;
    for (const size of sizes) {
      if (rest.length > 0) waves.push(rest.slice(0, size));
      rest = rest.slice(size);
    }
    return waves;
  });

interface Played {
  /** Clusters in the order in which they opened, with the minute. */
  readonly opened: readonly { readonly name: string; readonly minute: number }[];
  /** The most clusters that were open at once. */
  readonly atOnce: number;
  readonly state: string | undefined;
}

/** Applies the next transition, and returns the clusters whose wave it opened; undefined if none is due. */
function turn(snapshot: Snapshot): { readonly snapshot: Snapshot; readonly opened: readonly string[] } | undefined {
  const { ledger } = snapshot;
  const change = decide(snapshot).find(isLedgerDecision)?.change;
  if (ledger === undefined || change === undefined) return undefined;
  const steps = (change.runs ?? []).flatMap((each) => each.steps);
  const opened = steps.flatMap((step) => (step.kind === "wavesOpened" ? step.clusters : []));
  return { snapshot: { ...snapshot, ledger: applyChange(ledger, change) }, opened };
}

/** Plays a run minute by minute: open clusters arrive in the next minute. */
function play(order: readonly (readonly string[])[], concurrency: number, delay: number): Played {
  const campaign = makeCampaign({ clusters: { order, concurrency, delayBetweenWaves: delay * minute } });
  const migrated = new Set<string>();
  const opened: { name: string; minute: number }[] = [];
  let atOnce = 0;
  let snapshot: Snapshot = makeCampaignSnapshot({
    campaign,
    run: { clusters: {}, expected: names },
    clusters: new Map(),
  });
  const begin = snapshot.now;
  for (let now = 0; now < 200; now += 1) {
    const all = names.map((name) => {
      const workload = makeWorkload(`shop-${name}/w`);
      return [name, makeCluster(name, [migrated.has(name) ? makeMigrated(workload, "new", runId) : workload])] as const;
    });
    snapshot = { ...snapshot, now: begin + now * minute, clusters: new Map(all) };
    for (let turned = turn(snapshot); turned !== undefined; turned = turn(snapshot)) {
      opened.push(...turned.opened.map((name) => ({ name, minute: now })));
      snapshot = turned.snapshot;
    }
    const working = opened.filter(({ name }) => !migrated.has(name));
    atOnce = Math.max(atOnce, working.length);
    for (const { name } of working) migrated.add(name);
    const state = snapshot.ledger?.runs[runId]?.state;
    if (state !== "open") return { opened, atOnce, state };
  }
  return { opened, atOnce, state: "open" };
}

test("6.1 every cluster opens once, wave after wave, never more than concurrency at once, and the run ends", () => {
  fc.assert(
    fc.property(orders, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 7 }), (order, concurrency, delay) => {
      const { opened, atOnce, state } = play(order, concurrency, delay);
      expect([state, opened.map(({ name }) => name).toSorted()]).toEqual(["done", names]);
      expect(atOnce).toBeLessThanOrEqual(concurrency);
      const waveOf = (name: string) => {
        const index = order.findIndex((wave) => wave.includes(name));
        return index < 0 ? order.length : index;
      };
      const steps = opened.slice(1).map(({ name, minute: at }, index) => {
        const before = opened[index] ?? { name, minute: at };
        return { waves: waveOf(name) - waveOf(before.name), minutes: at - before.minute };
      });
      expect(steps.filter(({ waves, minutes }) => waves < 0 || (waves > 0 && minutes < delay))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
