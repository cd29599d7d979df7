import type { Prometheus } from "#libs/prometheus";
import type { RunRecord } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { makeFastClock } from "../parts/fast-clock.ts";
import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, makeShop } from "../shop.ts";

/** A Prometheus whose error rate is high for the times of which `isBadAt` is true. */
function makeHistory(isBadAt: (at: number) => boolean): Prometheus & { readonly asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    async query(_, at) {
      asked.push(at);
      return { kind: "value", value: isBadAt(at) ? 0.5 : 0 };
    },
  };
}

const gate = (failureLimit: number): string =>
  "defaults:\n  batch: { batchSize: 6, delayBetweenBatches: 10s }\n  bake: 10m\n  gates:\n" +
  `    - { name: errors, when: during, onFail: pause, prometheus: { query: e, max: 0.02, interval: 1m, failureLimit: ${failureLimit} } }\n`;

/** How much faster wall-clock time runs for the planner of a bake: one minute takes six seconds. */
const factor = 10;

/** A shop that bakes after its one batch; errors are high for `forMs`, from `after` ms of the bake on. */
async function openBaking(settings: string, after: number, forMs: number) {
  let from = Infinity;
  const prometheus = makeHistory((at) => at >= from && at < from + forMs);
  const flow = await makeShop({ settings });
  flow.prometheus = prometheus;
  await flow.startExecutor().startPlanner().pass(30_000);
  flow.whenMerged(file(100));
  await flow.until("it bakes", async () => (await flow.runs())[0]?.bake !== undefined);
  await flow.killPlanner();
  const fast = makeFastClock(flow.clock, factor);
  from = fast.now() + after;
  flow.startPlanner(fast);
  const restart = async (awayMs = 0): Promise<void> => {
    await flow.killPlanner();
    await flow.pass(awayMs / factor);
    flow.startPlanner(fast);
  };
  const pass = async (ms: number) => flow.pass(ms / factor);
  return { flow, prometheus, restart, pass };
}

async function isStopped(flow: FleetFlow): Promise<boolean> {
  return Object.values((await flow.ledger())?.stops ?? {}).some(({ cause }) => cause === "gate");
}

async function readRun(flow: FleetFlow): Promise<RunRecord | undefined> {
  return (await flow.runs())[0];
}

describe("a gate under a planner that is restarted", () => {
  it("fails in a bake with bad measurements even though the planner is killed every 110 s", async () => {
    const { flow, restart, pass } = await openBaking(gate(6), 0, Infinity);
    for (let kills = 0; kills < 5 && !(await isStopped(flow)); kills += 1) {
      await pass(110_000);
      await restart();
    }
    expect(await isStopped(flow)).toBe(true);
    expect(await readRun(flow)).toMatchObject({ state: "open", gates: { errors: { verdict: "fail" } } });
    await flow.end();
  });

  it("queries the minutes in which no planner ran: three bad ones among them fail it", async () => {
    const { flow, prometheus, restart } = await openBaking(gate(3), 60_000, 180_000);
    await flow.until("a minute of the bake is saved", async () => ((await readRun(flow))?.bake?.healthyMs ?? 0) > 0);
    const before = prometheus.asked.length;
    await restart(240_000);
    await flow.until("the gate stopped the run", async () => isStopped(flow), 30_000);
    expect(prometheus.asked.length - before).toBeGreaterThan(3);
    await flow.end();
  });
});

describe("proxySync under a planner that is killed more often than `within`", () => {
  const synced =
    "defaults:\n  batch: { batchSize: 6, delayBetweenBatches: 10s }\n  bake: 10m\n  gates:\n" +
    "    - { name: synced, when: during, onFail: pause, proxySync: { minSyncedRatio: 1, within: 90s } }\n";

  it("fails once the proxies were out of sync for that long, across all restarts", async () => {
    const { flow, restart, pass } = await openBaking(synced, 0, 0);
    flow.model("one").breakWorkload((ref) => ref.namespace === "shop-f", { how: "nack", whenRevision: "new" });
    for (let kills = 0; kills < 4 && !(await isStopped(flow)); kills += 1) {
      await pass(50_000);
      await restart();
    }
    expect(await isStopped(flow)).toBe(true);
    expect(countOn(flow, "new")).toBe(6);
    await flow.end();
  });
});
