import type { BatchSettings, Campaign, Stage } from "#libs/campaign";

import type { ClusterCounts } from "../count-clusters.ts";

/** The assumed time of a healthy restart, ms; the text says that it is an assumption. */
const assumedRestartMs = 60_000;

export interface ClusterEstimate extends ClusterCounts {
  /** From 1. */
  readonly wave: number;
  readonly batches: number;
  /** Its batches, and as long as its groups of VMs take, ms. */
  readonly ms: number;
}

export interface StageEstimate {
  /** In the order in which they go. */
  readonly clusters: readonly ClusterEstimate[];
  /** With delays between waves, without bake, windows and stops, ms. */
  readonly totalMs: number;
  /** `totalMs`, or with strategy `OnDeploy` the deadlines of clusters, one after the other where waves or `concurrency` say so, ms. */
  readonly latestMs: number;
}

/** From 1; clusters that the order does not name come last (rules 6.1). */
function findWave({ clusters }: Campaign, name: string): number {
  const index = clusters.order.findIndex((wave) => wave.includes(name));
  return (index < 0 ? clusters.order.length : index) + 1;
}

/** The time of so many workloads in batches of a cluster, ms. */
function estimateBatches(
  workloads: number,
  { batchSize, delayBetweenBatches }: BatchSettings,
  hasDelay: boolean,
): number {
  const batches = Math.ceil(workloads / batchSize);
  return batches * assumedRestartMs + Math.max(0, batches - 1) * (hasDelay ? delayBetweenBatches : 0);
}

/**
 * The time of a rollback, which goes through all clusters at once in its own batches (rules 2.3), ms; `workloads`: per cluster.
 */
export function estimateRollback(batch: BatchSettings, workloads: readonly number[]): number {
  return Math.max(0, ...workloads.map((count) => estimateBatches(count, batch, true)));
}

/** The VMs of each group are spread over the deadline, whatever else moves meanwhile; they take no place in a batch. */
function estimateVms({ vmGroups = 0 }: ClusterCounts, { settings }: Stage): number {
  return vmGroups === 0 ? 0 : Math.max(assumedRestartMs, settings.vms.deadline);
}

interface Estimated extends ClusterEstimate {
  /** Of its batches alone. */
  readonly batchesMs: number;
}

function estimateCluster(campaign: Campaign, stage: Stage, counts: ClusterCounts): Estimated {
  const { settings } = stage;
  const restarts = counts.workloads - (counts.vmGroups ?? 0);
  const batches = Math.ceil(restarts / settings.batch.batchSize);
  // Strategy Window has no batches with delays between them.
  const batchesMs = estimateBatches(restarts, settings.batch, settings.strategy !== "Window");
  const ms = Math.max(batchesMs, estimateVms(counts, stage));
  return { ...counts, wave: findWave(campaign, counts.cluster), batches, batchesMs, ms };
}

/** The time of clusters that share so many places, each taken by the next when it is free. */
function scheduleWave(wave: readonly ClusterEstimate[], places: number): number {
  const free = Array.from({ length: Math.max(1, Math.min(places, wave.length)) }, () => 0);
  for (const { ms } of wave) {
    const next = free.indexOf(Math.min(...free));
    free[next] = (free[next] ?? 0) + ms;
  }
  return Math.max(0, ...free);
}

/** The number of batches of a stage in each cluster, and the approximate time, by its own settings. */
export function estimateStage(campaign: Campaign, stage: Stage, counts: readonly ClusterCounts[]): StageEstimate {
  const estimated = counts
    .map((each) => estimateCluster(campaign, stage, each))
    .toSorted((a, b) => a.wave - b.wave || (a.cluster < b.cluster ? -1 : 1));
  const waves = [...new Set(estimated.map(({ wave }) => wave))];
  const { concurrency = Number.POSITIVE_INFINITY, delayBetweenWaves } = campaign.clusters;
  const { strategy, deadline } = stage.settings;
  /** With so much time for deploys in each cluster, ms; VMs wait for none. */
  const addWaves = (moreMs: number): number => {
    const later = estimated.map((each) => ({ ...each, ms: Math.max(each.ms, each.batchesMs + moreMs) }));
    const lengths = waves.map((wave) =>
      scheduleWave(
        later.filter((each) => each.wave === wave),
        concurrency,
      ),
    );
    return lengths.reduce((sum, ms) => sum + ms, 0) + Math.max(0, waves.length - 1) * delayBetweenWaves;
  };
  const clusters = estimated.map((each): ClusterEstimate => {
    const { batchesMs: _, ...rest } = each;
    return rest;
  });
  return { clusters, totalMs: addWaves(0), latestMs: addWaves(strategy === "OnDeploy" ? deadline : 0) };
}
