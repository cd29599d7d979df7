import { lookUp } from "#libs/input";
import type { Campaign, Settings, Stage } from "#libs/campaign";
import { renderReasonWords, type ReasonWords } from "#libs/wording";

import { countHealthy } from "../conditions/index.ts";
import {
  countInClusters,
  countRuns,
  countShares,
  type Evaluation,
  type RunInCluster,
  type RunView,
} from "../index/index.ts";
import {
  type BakeWatch,
  dropAbsent,
  parseTime,
  printTime,
  type RunRecord,
  type Snapshot,
  type Spec,
} from "../records/index.ts";
import { type GateReading, renderReading } from "../gates/index.ts";
import { settingsOf } from "../main/index.ts";
import { describeVmGroups } from "./vms/describe-vm-groups.ts";
import type {
  BakeStatus,
  CampaignBucket,
  CampaignRollouts,
  CampaignStatus,
  ExclusionStatus,
  GateStatus,
} from "./campaign-status.ts";

/** Workloads named in a sentence; `get workloads` lists all. */
const shown = 10;

/** The present batch of a cluster and their number, by `batchSize`. */
export interface BatchProgress {
  readonly batch: number;
  readonly of: number;
}

/**
 * The batch number counts workloads that are no longer pending: batches have no numbers, and a retry or a late namespace adds
 * one.
 */
export function countBatches(classes: RunInCluster, batchSize: number): BatchProgress {
  const { workloads, pending, waiting } = countInClusters([classes]);
  const handedOut = workloads - pending - waiting;
  const of = Math.max(1, Math.ceil(workloads / batchSize));
  return { batch: Math.min(of, Math.max(1, Math.ceil(handedOut / batchSize))), of };
}

const minute = 60_000;

/** The next whole multiple. */
function ceilTo(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

/** With one decimal. */
export function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/**
 * Requested and actual share of the target in every bucket that a stage sets: those of the present stage first, then in the
 * file's order.
 */
export function describeWhere(
  campaign: Campaign,
  stage: Stage | undefined,
  head: Spec,
  { judged }: Evaluation,
): readonly CampaignBucket[] {
  const tally = countShares(head, judged);
  const stages = stage === undefined ? campaign.stages : [stage, ...campaign.stages];
  const patterns = new Set(stages.flatMap(({ set }) => Object.keys(set)));
  return [...patterns].map((pattern) => {
    const bucket = head.rollouts.buckets.find((each) => each.pattern === pattern);
    const counts = tally.get(pattern);
    const total = [...(counts?.values() ?? [])].reduce((sum, count) => sum + count, 0);
    const onTarget = counts?.get(campaign.target) ?? 0;
    return {
      bucket: pattern,
      requested: bucket?.shares.find(({ revision }) => revision === campaign.target)?.weight ?? 0,
      actual: total === 0 ? 0 : roundToTenth((100 * onTarget) / total),
      onTarget,
      total,
    };
  });
}

/** One entry for each cluster in which something of the run rolls, or that has its batch. */
export function describeRollouts(view: RunView, head: Spec, { clusters }: Snapshot): readonly CampaignRollouts[] {
  const { batchSize } = settingsOf(head, view.run).batch;
  return [...view.clusters].flatMap(([cluster, classes]) => {
    const migrating = classes.count(["migrating"]);
    const isInHand = clusters.get(cluster)?.batch?.run === view.run.id;
    if (migrating === 0 && !isInHand) return [];
    const moving = [...classes.list(["migrating"])];
    const workloads = moving.slice(0, shown).map(({ key }) => key);
    const figures = { ...countBatches(classes, batchSize), migrating, workloads };
    return [{ cluster, run: view.run.id, ...figures, ...describeVmGroups(moving) }];
  });
}

interface VmTurns {
  readonly groups: number;
  readonly until: number;
}

/** The groups of VMs that these runs move now, and when the last of their VMs is due, epoch ms; undefined without one. */
export function findVmTurns(views: readonly RunView[], { now }: Snapshot, { settings }: Spec): VmTurns | undefined {
  const classes = views.flatMap(({ clusters }) => [...clusters.values()]);
  const groups = classes.flatMap((each) => [...each.list(["migrating"])].filter(({ workload }) => workload.vms));
  if (groups.length === 0) return undefined;
  const begun = groups.map(({ workload: { times } }) => times?.written ?? now);
  return { groups: groups.length, until: Math.max(now, ...begun.map((at) => at + settings.vms.deadline)) };
}

/** The workloads of these runs, each in one class. */
export function countWorkloads(views: readonly RunView[]): CampaignStatus["counts"] {
  const { failed: _, leftover, ...counts } = countRuns(views);
  return { ...counts, ...(leftover === 0 ? {} : { leftover }) };
}

/** Rounded, because a new estimate each second would cause a notification each time. */
function estimateBakeEnd(now: number, healthy: number, needed: number): string {
  return printTime(ceilTo(now + needed - healthy, needed < 10 * minute ? 1000 : minute));
}

/** Why it is paused: by this planner's observation, else as saved. */
function findPause({ bake }: RunRecord, watch: BakeWatch | undefined): ReasonWords | undefined {
  if (watch === undefined) return bake?.paused;
  return watch.paused === undefined ? undefined : renderReasonWords(watch.paused);
}

/** The progress of a run's bake; undefined where there is none. */
export function describeBake(run: RunRecord, settings: Settings, { bakes, now }: Snapshot): BakeStatus | undefined {
  const needed = settings.bake;
  if (needed === 0 && run.bake === undefined) return undefined;
  const watch = bakes?.get(run.id);
  const healthy = Math.min(needed, countHealthy(run.bake, watch));
  const paused = findPause(run, watch);
  const isCounting = run.bake !== undefined && paused === undefined;
  return {
    healthySeconds: Math.floor(healthy / 1000),
    neededSeconds: Math.round(needed / 1000),
    ...dropAbsent({ endsAt: isCounting ? estimateBakeEnd(now, healthy, needed) : undefined, paused }),
  };
}

/** The gates of a stage: the present results of its open run, else the recorded ones. */
export function describeGates(
  stage: Stage,
  run: RunRecord | undefined,
  readings: ReadonlyMap<string, GateReading>,
): readonly GateStatus[] {
  return stage.settings.gates.map(({ name, when }) => {
    const reading = readings.get(name);
    if (reading !== undefined) return { name, when, status: reading.verdict, ...renderReading(reading) };
    const said = lookUp(run?.gates, name);
    if (said === undefined) return { name, when, status: "pending" };
    const { verdict, ...figures } = said;
    return { name, when, status: verdict, ...figures };
  });
}

/** Exclusions that still apply. */
export function describeLeftOut({ exclude }: Campaign, now: number): readonly ExclusionStatus[] {
  return exclude
    .filter(({ until }) => until === undefined || until > now)
    .map(({ pattern, reason, until }) => ({
      pattern,
      reason,
      ...(until === undefined ? {} : { until: printTime(until) }),
    }));
}

/** The start of the first of these runs, ISO. */
export function findStart(runs: readonly RunRecord[]): string | undefined {
  return runs.map(({ startedAt }) => startedAt).toSorted((a, b) => parseTime(a) - parseTime(b))[0];
}
