import { builtInSettings, type Campaign, type Stage } from "#libs/campaign";
import { describe, expect, it } from "vitest";

import { estimateStage } from "./estimate.ts";

const stage = (batchSize: number, change: Partial<Stage["settings"]> = {}): Stage => ({
  name: "half",
  set: { production: 50 },
  settings: {
    ...builtInSettings,
    batch: { ...builtInSettings.batch, batchSize, delayBetweenBatches: 30_000 },
    rollbackBatch: { ...builtInSettings.batch, batchSize: 10, delayBetweenBatches: 0 },
    ...change,
  },
  line: 1,
});

const campaign = (clusters: Campaign["clusters"]): Campaign => ({
  name: "shop",
  file: "campaigns/shop.yml",
  target: "new",
  replaces: ["old"],
  owners: [],
  exclude: [],
  clusters,
  stages: [],
});

const count = (cluster: string, workloads: number) => ({ cluster, namespaces: 1, workloads, pods: workloads });
const minute = 60_000;

describe("how long a stage takes", () => {
  it("1.5 counts a minute per batch, and the delays between them", () => {
    const { clusters, totalMs } = estimateStage(campaign({ order: [], delayBetweenWaves: 0 }), stage(5), [
      count("a", 11),
    ]);
    expect(clusters).toMatchObject([{ cluster: "a", wave: 1, batches: 3, ms: 3 * minute + 2 * 30_000 }]);
    expect(totalMs).toBe(4 * minute);
  });

  it("1.5 has no delays with strategy Window", () => {
    const settings = { ...stage(5).settings, strategy: "Window" as const };
    const { totalMs } = estimateStage(campaign({ order: [], delayBetweenWaves: 0 }), { ...stage(5), settings }, [
      count("a", 11),
    ]);
    expect(totalMs).toBe(3 * minute);
  });

  it("6.1 adds waves and their delays, takes the longest of a wave, and puts unnamed clusters last", () => {
    const order = campaign({ order: [["b"], ["a", "c"]], delayBetweenWaves: 600_000 });
    const counts = [count("z", 1), count("a", 1), count("c", 3), count("b", 1)];
    const { clusters, totalMs } = estimateStage(order, stage(1), counts);
    expect(clusters.map(({ cluster, wave }) => `${cluster} ${wave}`)).toEqual(["b 1", "a 2", "c 2", "z 3"]);
    expect(totalMs).toBe(minute + (3 * minute + 60_000) + minute + 2 * 600_000);
  });

  it("6.1 has a latest end with strategy OnDeploy: the deadline of each wave, and the batches", () => {
    const order = campaign({ order: [["b"], ["a", "c"]], delayBetweenWaves: 600_000 });
    const deploys = stage(1, { strategy: "OnDeploy", deadline: 28 * 86_400_000 });
    const { totalMs, latestMs } = estimateStage(order, deploys, [count("a", 1), count("b", 1)]);
    expect(latestMs).toBe(2 * 28 * 86_400_000 + totalMs);
    expect(estimateStage(order, stage(1), [count("a", 1)]).latestMs).toBe(minute);
    const single = campaign({ order: [], concurrency: 1, delayBetweenWaves: 0 });
    const one = estimateStage(single, deploys, [count("a", 1), count("b", 1), count("c", 1)]);
    expect(one.latestMs).toBe(3 * 28 * 86_400_000 + one.totalMs);
  });

  it("6.1 shares the places of a wave's concurrency", () => {
    const order = campaign({ order: [], concurrency: 2, delayBetweenWaves: 0 });
    const { totalMs } = estimateStage(order, stage(1), [count("a", 1), count("b", 1), count("c", 1)]);
    expect(totalMs).toBe(2 * minute);
  });

  const day = 24 * 60 * minute;
  const vms = { maxUnavailable: { percent: 10 }, deadline: 14 * day };
  const withGroup = { ...count("a", 11), vmGroups: 1, vms: 40 };
  it.each([
    {
      name: "a group takes vms.deadline and no place in a batch",
      change: {},
      batches: 2,
      want: 14 * day,
      latest: 14 * day,
    },
    {
      name: "without a deadline its VMs are assumed to take as long as a restart",
      change: { vms: { ...vms, deadline: 0 } },
      batches: 2,
      want: 2 * minute + 30_000,
      latest: 2 * minute + 30_000,
    },
    {
      name: "VMs do not wait for deploys, so the later of both is the end",
      change: { strategy: "OnDeploy" as const, deadline: 28 * day },
      batches: 2,
      want: 14 * day,
      latest: 28 * day + 2 * minute + 30_000,
    },
  ])("with VMs: $name", ({ change, batches, want, latest }) => {
    const order = campaign({ order: [], delayBetweenWaves: 0 });
    const { clusters, totalMs, latestMs } = estimateStage(order, stage(5, { vms, ...change }), [withGroup]);
    expect({ batches: clusters[0]?.batches, totalMs, latestMs }).toEqual({ batches, totalMs: want, latestMs: latest });
  });
});
