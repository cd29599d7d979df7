import type { Prometheus } from "#libs/prometheus";
import type { RunRecord } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { makeFastClock } from "../parts/fast-clock.ts";
import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, makeShop } from "../shop.ts";

/** A Prometheus whose errors are as high as the time that is asked for says. */
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

/** People's time runs so much faster for a planner of a bake: a minute of it is six seconds. */
const factor = 10;

/** A shop whose one batch arrived and bakes; errors are high from `after` ms of the bake on, for `forMs`. */
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

/** How many bad measurements the ledger has of the gate. */
async function countBad(flow: FleetFlow): Promise<number> {
  return (await readRun(flow))?.measured?.["errors"]?.bad?.length ?? 0;
}

describe("a gate under a planner that is restarted", () => {
  it("fails at three bad minutes of four, though the planner was killed in the middle of them", async () => {
    const { flow, restart } = await openBaking(gate(3), 60_000, 240_000);
    await flow.until("two are counted", async () => (await countBad(flow)) === 2, 60_000);
    await restart();
    await flow.until("the gate stopped the run", async () => isStopped(flow), 240_000);
    expect(await readRun(flow)).toMatchObject({ state: "open", gates: { errors: { verdict: "fail", value: 0.5 } } });
    await flow.end();
  });

  it("fails though the planner is killed every 110 s over a bake in which all was bad", async () => {
    const { flow, restart, pass } = await openBaking(gate(6), 0, Infinity);
    for (let kills = 0; kills < 5 && !(await isStopped(flow)); kills += 1) {
      await pass(110_000);
      await restart();
    }
    expect(await isStopped(flow)).toBe(true);
    expect(await readRun(flow)).toMatchObject({ state: "open", gates: { errors: { verdict: "fail" } } });
    await flow.end();
  });

  it("counts one bad minute once, though the planner was killed ten times in it", async () => {
    const { flow, restart, pass } = await openBaking(gate(3), 0, 40_000);
    for (let kills = 0; kills < 10; kills += 1) {
      await pass(4000);
      await restart();
    }
    expect(await countBad(flow)).toBe(1);
    await pass(180_000);
    expect([await countBad(flow), await isStopped(flow)]).toEqual([1, false]);
    await flow.end();
  });

  it("asks for the minutes in which no planner was there: three bad ones among them are a failure", async () => {
    const { flow, prometheus, restart } = await openBaking(gate(3), 60_000, 180_000);
    await flow.until("a minute of the bake is saved", async () => ((await readRun(flow))?.bake?.healthyMs ?? 0) > 0);
    const before = prometheus.asked.length;
    await restart(240_000);
    await flow.until("the gate stopped the run", async () => isStopped(flow), 30_000);
    expect(prometheus.asked.length - before).toBeGreaterThan(3);
    await flow.end();
  });

  it("what a person forgave is not counted again after a kill", async () => {
    const { flow, restart, pass } = await openBaking(gate(2), 0, 125_000);
    await flow.until("the gate stopped the run", async () => isStopped(flow));
    await flow.whenAsked({ verb: "resume", scope: `run/${(await readRun(flow))?.id ?? ""}` });
    await pass(5000);
    await restart();
    const saysPass = async () => (await readRun(flow))?.gates?.["errors"]?.verdict === "pass";
    await flow.until("the gate says that it passes", saysPass, 60_000);
    expect(await countBad(flow)).toBeLessThan(2);
    await flow.end();
  });
});

describe("proxySync under a planner that is killed more often than `within`", () => {
  const synced =
    "defaults:\n  batch: { batchSize: 6, delayBetweenBatches: 10s }\n  bake: 10m\n  gates:\n" +
    "    - { name: synced, when: during, onFail: pause, proxySync: { minSyncedRatio: 1, within: 90s } }\n";

  const readLow = async (flow: FleetFlow): Promise<string | undefined> =>
    (await readRun(flow))?.measured?.["synced"]?.lowSince;

  it("fails once the proxies were not synced for so long, over all its restarts", async () => {
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

  it("a time that was too low and over is not counted with the next one", async () => {
    const { flow, restart, pass } = await openBaking(synced, 0, 0);
    const broken = { how: "nack", whenRevision: "new" } as const;
    const fix = flow.model("one").breakWorkload((ref) => ref.namespace === "shop-f", broken);
    await flow.until("it is recorded as low", async () => (await readLow(flow)) !== undefined, 60_000);
    fix();
    await flow.until("it is recorded as over", async () => (await readLow(flow)) === undefined, 60_000);
    await pass(90_000);
    await restart();
    const again = flow.model("one").breakWorkload((ref) => ref.namespace === "shop-f", broken);
    await pass(60_000);
    expect(await isStopped(flow)).toBe(false);
    again();
    await flow.end();
  });
});
