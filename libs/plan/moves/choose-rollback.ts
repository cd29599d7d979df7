import { printTime, type RunRecord } from "../records/index.ts";
import { listPlaceless, type RunInCluster, type RunView } from "../index/index.ts";
import { settingsOf } from "../main/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";
import { type BatchChoice, type BatchInput, findRevisionWait, makeBatch, wait } from "./batch-choice.ts";
import { type Candidates, openCandidates, skipTried, take } from "./candidates.ts";

/** One job carries no more: what is left over follows at once with the next. */
const largestJob = 200;

/** What takes a place: what is stuck on the way that is undone takes none, nor what gave its place up (rules 4.2, 4.7). */
function countPlaces({ judged, cluster, head }: BatchInput): number {
  const rolling = judged.count("rolling");
  if (rolling === 0) return 0;
  const settingsFor = (run: RunRecord | undefined) => settingsOf(head, run);
  return rolling - listPlaceless({ judged, serverNow: cluster.serverNow, settingsFor }).size;
}

/**
 * How many that serve well may be rolled back now, by `rollback.batch`; or why none. What is stuck on the way that is undone
 * takes no place, and `maxUnavailable` does not count (rules 2.3, 4.2).
 */
function measureRoom(input: BatchInput, run: string): number | BatchChoice {
  const { cluster, settings, now } = input;
  const { batchSize, delayBetweenBatches } = settings.rollbackBatch;
  const rolling = countPlaces(input);
  if (settings.strategy === "Window") {
    if (rolling < batchSize) return batchSize - rolling;
    return wait(run, { code: "BatchFull", cluster: cluster.name, rolling, batchSize });
  }
  if (rolling > 0) return wait(run, { code: "BatchSettling", cluster: cluster.name, rolling });
  const next = cluster.batchEndedAt + delayBetweenBatches;
  if (next <= now) return batchSize;
  return wait(run, { code: "DelayBetweenBatches", cluster: cluster.name, until: printTime(next) });
}

interface Chosen {
  readonly workloads: readonly JudgedWorkload[];
  /** Absent: they roll or are broken, and go at once. */
  readonly batchSize?: number;
}

/** Nothing holds a rollback, so one whose batches break is tried less and less often, and says why (rules 2.3). */
function findBackoff({ cluster, now }: BatchInput, run: string): BatchChoice | undefined {
  const { broken } = cluster;
  if (broken?.run !== run || broken.until <= now) return undefined;
  const { times, reason: why, until } = broken;
  return wait(run, { code: "JobFailed", cluster: cluster.name, run, why, times, until: printTime(until) });
}

/** Who goes next: what rolls or is broken at once, the others by `rollback.batch`; whose batch broke comes after all others. */
function chooseNext(input: BatchInput, run: string, candidates: Candidates): Chosen | BatchChoice {
  // What rolls towards what no run wants any more, or is broken, goes first and at once (rules 2.3).
  const urgent = candidates.listPart("urgent");
  const untried = take(skipTried(input, run, urgent), largestJob);
  const hasOthers = take(skipTried(input, run, candidates.list()), 1).length > 0;
  const atOnce = hasOthers ? untried : take(urgent, largestJob);
  if (atOnce.length > 0) return { workloads: atOnce };
  const room = measureRoom(input, run);
  if (typeof room !== "number") return room;
  const workloads = take(hasOthers ? skipTried(input, run, candidates.list()) : candidates.list(), room);
  return { workloads, batchSize: input.settings.rollbackBatch.batchSize };
}

/** One run's next batch of workloads that are rolled back: it heeds no wave, no bake and few stops (rules 2.3). */
export function chooseRollback(input: BatchInput, view: RunView, classes: RunInCluster): BatchChoice {
  const { id } = view.run;
  if (classes.count(["rollback"]) === 0) return { kind: "nothing" };
  const candidates = openCandidates(input, id, classes, "rollback");
  if ("kind" in candidates) return candidates;
  const next = findBackoff(input, id) ?? chooseNext(input, id, candidates);
  if ("kind" in next) return next;
  const obstacle = findRevisionWait(input, id, next.workloads);
  if (obstacle !== undefined) return obstacle;
  const { workloads, ...how } = next;
  const cluster = input.cluster.name;
  if (workloads.length === 0) return wait(id, { code: "NamespaceBegun", cluster });
  return {
    kind: "batch",
    batch: makeBatch(input, view, workloads),
    reason: { code: "RollbackReady", cluster, chosen: workloads.length, pending: candidates.total, ...how },
  };
}
