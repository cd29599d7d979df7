import { file, openShop, refOf, running } from "#test/flow/shop";

import { atMostPeer, type Bench, type Figure, limitFigure } from "../bench.ts";

const healthy = Array.from({ length: 40 }, (_, index) => `w${String(index).padStart(2, "0")}`);
/** Their names sort before the others, so only the measured rule can let the others go first. */
const stuck = Array.from({ length: 20 }, (_, index) => `a${String(index).padStart(2, "0")}`);
const COUNTS = [0, 5, 20];
const READY_MS = 5000;
/** The built-in gate would stop the run at the fourth failure; here it must continue. */
const gates = "gates: [{ name: restarts, when: during, restartHealth: { maxFailureRatio: 1 } }]";
/** Most that all stuck workloads together may add to the wait of the others, s. */
const MOST_ADDED_S = 300;

interface Case {
  readonly strategy: "Batched" | "Window";
  readonly batch: string;
  /** Factor over the wait without stuck workloads. */
  readonly goal: number;
}

const cases: readonly Case[] = [
  { strategy: "Batched", batch: "batchSize: 2, delayBetweenBatches: 10s", goal: 2 },
  { strategy: "Window", batch: "batchSize: 2", goal: 3 },
];

/** How long workloads wait for others that never become ready. On a virtual clock, so it is the same on any machine. */
export const stuckBench: Bench = { name: "stuck", run: async () => (await Promise.all(cases.map(measure))).flat() };

/** Seconds from the merge until each healthy workload runs the new revision, ascending, while `count` others never do. */
async function measureWaits({ strategy, batch }: Case, count: number): Promise<readonly number[]> {
  const broken = new Set(stuck.slice(0, count).map((name) => `shop-${name}`));
  const policy = "readinessTimeout: 5m, failurePolicy: ContinueOnError";
  const flow = await openShop({
    names: [...stuck.slice(0, count), ...healthy],
    settings: `defaults:\n  strategy: ${strategy}\n  batch: { ${batch}, ${policy} }\n  ${gates}\n`,
    readyMs: READY_MS,
    prepare: (model) =>
      void model.breakWorkload(({ namespace }) => broken.has(namespace), { how: "neverReady", whenRevision: "new" }),
  });
  const began = flow.clock.now();
  flow.whenMerged(file(100));
  const waits = new Map<string, number>();
  await flow.until("all others arrived", () => {
    for (const name of healthy) {
      const isMigrated = running(flow, refOf(name)).join() === "new";
      if (isMigrated && !waits.has(name)) waits.set(name, (flow.clock.now() - began) / 1000);
    }
    return waits.size === healthy.length;
  });
  await flow.end();
  return [...waits.values()].toSorted((a, b) => a - b);
}

function findPercentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

async function measure(each: Case): Promise<readonly Figure[]> {
  const p99: number[] = [];
  for (const count of COUNTS) {
    const waits = await measureWaits(each, count);
    p99.push(findPercentile(waits, 99));
    const [half, most] = [findPercentile(waits, 50), findPercentile(waits, 99)];
    console.error(`bench: stuck: ${each.strategy}, ${count} stuck: the others wait ${half} s (p50), ${most} s (p99)`);
  }
  const [undisturbed = Number.NaN, , worst = Number.NaN] = p99;
  const [ours, peer] = [worst, undisturbed].map((value) => ({ value, unit: "s" })) as [Wait, Wait];
  const metric = `${each.strategy}: wait of 40 others, 20 stuck, p99`;
  return [
    atMostPeer(metric, ours, "0 stuck", peer, each.goal),
    limitFigure(`${each.strategy}: added by 20 stuck`, { value: worst - undisturbed, unit: "s" }, MOST_ADDED_S),
  ];
}

interface Wait {
  readonly value: number;
  readonly unit: string;
}
