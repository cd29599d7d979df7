import { lookUp } from "#libs/input";
import { builtInGates, type Settings } from "#libs/campaign";
import { isUnprovenDeploy } from "#libs/fleet";
import type { Reason } from "#libs/wording";

import type { BakeRecord, BakeStep, BakeWatch, ClusterSnapshot, RunRecord } from "../records/index.ts";
import { countClasses, type RunView } from "../index/index.ts";

/** Used where no file sets a ratio: one workload of fifty may lack pods, and none of fewer. */
const usualTolerance = 0.02;

/** The ratio of a run's workloads that may lack pods while it bakes, by its restartHealth gate. */
function readTolerance({ gates }: Settings): number {
  const written = gates.flatMap((gate) =>
    gate.kind === "restartHealth" && !builtInGates.includes(gate) ? [gate.maxFailureRatio] : [],
  );
  const least = Math.min(...written);
  return least < 1 ? least : usualTolerance;
}

/**
 * Migrated workloads that lack pods now, without those that were unhealthy when their wave opened or that their owner deploys.
 */
function listAiling({ run, clusters }: RunView): readonly string[] {
  const names: string[] = [];
  for (const [cluster, classes] of clusters) {
    const before = new Set(lookUp(run.clusters, cluster)?.unhealthyBefore);
    for (const { key, workload } of classes.listAiling())
      if (!before.has(key) && !isUnprovenDeploy(workload)) names.push(`${key} in ${cluster}`);
  }
  return names;
}

/**
 * Why the bake of a run is paused now; undefined while it counts: every cluster of the run is seen, and its workloads that are
 * not skipped are available (rules 6.2).
 */
export function findBakePause(
  view: RunView,
  settings: Settings,
  clusters: ReadonlyMap<string, ClusterSnapshot>,
): Reason | undefined {
  const waited = Object.keys(view.run.clusters).filter((name) => !settings.excludedClusters.includes(name));
  const unseen = waited.find((name) => clusters.get(name)?.fresh !== true);
  if (unseen !== undefined) return { code: "BakeUnseen", cluster: unseen };
  const ailing = listAiling(view);
  const total = countClasses(view, ["migrated"]);
  if (ailing.length <= readTolerance(settings) * total) return undefined;
  return { code: "BakeUnhealthy", workloads: ailing, total };
}

const [tenth, fiftieth] = [0.1, 0.02];
const [minuteMs, hourMs] = [60_000, 3_600_000];

/** Shorter pauses are not recorded: a planner that has just started has seen no cluster yet. Real ms. */
const pauseCountsMs = 30_000;

/**
 * The most healthy time that is lost with a planner, ms: a fiftieth of the bake, at most an hour; for a short bake a minute, at
 * most a tenth. Each save is a commit.
 */
export function chooseSaveEvery(needed: number): number {
  return Math.min(needed * tenth, Math.max(needed * fiftieth, minuteMs), hourMs);
}

/** A new planner saves sooner, in steps that grow with what it has saved; the first is this part of the usual one. */
const firstStep = 1 / 32;
/** Not shorter than a reconcile, ms. */
const leastStepMs = 1_000;

/**
 * With growing steps a planner that is killed repeatedly still makes progress: at most three quarters of what each process saw
 * are lost, for three more commits.
 */
function chooseStep(needed: number, { savedMs }: BakeWatch): number {
  const usual = chooseSaveEvery(needed);
  return savedMs === undefined ? usual : Math.min(usual, Math.max(usual * firstStep, leastStepMs, 3 * savedMs));
}

/** Healthy time so far: saved in the ledger, plus seen since. */
export function countHealthy(record: BakeRecord | undefined, watch: BakeWatch | undefined): number {
  return (record?.healthyMs ?? 0) + (watch?.healthyMs ?? 0);
}

/** Whether it baked as long as its present settings require, also where a longer bake was merged meanwhile (rules 1.4). */
export function isBaked({ bake }: RunRecord, { bake: needed }: Settings): boolean {
  return needed === 0 || (bake !== undefined && bake.healthyMs >= needed);
}

/** Saved at each step, and once at a pause until the next step, so that a flapping bake writes no more commits. */
export function planBakeStep(
  { bake }: RunRecord,
  { bake: needed }: Settings,
  watch: BakeWatch | undefined,
): BakeStep | undefined {
  if (bake === undefined) return "began";
  const healthy = countHealthy(bake, watch);
  if (healthy >= needed) return "over";
  const isStill = watch?.paused !== undefined && (watch.pausedMs ?? 0) >= pauseCountsMs;
  if (isStill && bake.paused === undefined) return "paused";
  return watch !== undefined && watch.healthyMs >= chooseStep(needed, watch) ? "progress" : undefined;
}
