import type { BatchSettings, Campaign, Stage } from "#libs/campaign";

import type { ClusterCounts } from "../proposal.ts";

/** The assumed time of a healthy restart, ms; the text says that it is an assumption. */
const assumedRestartMs = 60_000;

export interface ClusterEstimate extends ClusterCounts {
  /** From 1. */
  readonly wave: number;
  readonly batches: number;
  readonly ms: number;
}

export interface StageEstimate {
  /** In the order in which they go. */
  readonly clusters: readonly ClusterEstimate[];
  /** With delays between waves, without bake, windows and stops, ms. */
  readonly totalMs: number;
  /** `totalMs`, and with strategy `OnDeploy` the deadlines of clusters, one after the other where waves or `concurrency` say so, ms. */
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

function estimateCluster(campaign: Campaign, { settings }: Stage, counts: ClusterCounts): ClusterEstimate {
  const batches = Math.ceil(counts.workloads / settings.batch.batchSize);
  // Strategy Window has no batches with delays between them.
  const ms = estimateBatches(counts.workloads, settings.batch, settings.strategy !== "Window");
  return { ...counts, wave: findWave(campaign, counts.cluster), batches, ms };
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
  const clusters = counts
    .map((each) => estimateCluster(campaign, stage, each))
    .toSorted((a, b) => a.wave - b.wave || (a.cluster < b.cluster ? -1 : 1));
  const waves = [...new Set(clusters.map(({ wave }) => wave))];
  const { concurrency = Number.POSITIVE_INFINITY, delayBetweenWaves } = campaign.clusters;
  const { strategy, deadline } = stage.settings;
  /** With so much more for each cluster, ms. */
  const addWaves = (moreMs: number): number => {
    const later = clusters.map((each) => ({ ...each, ms: each.ms + moreMs }));
    const lengths = waves.map((wave) =>
      scheduleWave(
        later.filter((each) => each.wave === wave),
        concurrency,
      ),
    );
    return lengths.reduce((sum, ms) => sum + ms, 0) + Math.max(0, waves.length - 1) * delayBetweenWaves;
  };
  return { clusters, totalMs: addWaves(0), latestMs: addWaves(strategy === "OnDeploy" ? deadline : 0) };
}
