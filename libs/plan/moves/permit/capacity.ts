import { lookUp } from "#libs/input";

import { countAllowed, countUnavailable } from "../../workloads/index.ts";
import { printTime } from "../../records/index.ts";
import { judgePace } from "./batch-pace.ts";
import { type ExecutorSnapshot, findRunById, type ItemCheck, type JobFacts, refuse, settingsFor } from "./facts.ts";

/** What takes a place: a workload that made no progress for its share of time gave it up (rules 4.7). */
function countPlaces({ rolling, stalled, placeless }: ExecutorSnapshot, isRollback: boolean): number {
  return [...rolling].filter((key) => !(isRollback ? placeless : stalled).has(key)).length;
}

/** A workload's own patch does not count against itself (rules 4.2), and what is broken is rolled back at once (rules 2.3). */
export const checkCapacity: ItemCheck = (snapshot, job, _, { key, rollbackSince, unavailable }) => {
  const isRollback = rollbackSince !== undefined;
  const settings = settingsFor(snapshot, job);
  const batchSize = (isRollback ? settings?.rollbackBatch : settings?.batch)?.batchSize ?? 1;
  const places = countPlaces(snapshot, isRollback);
  if (snapshot.rolling.has(key) || (isRollback && unavailable) || places < batchSize) return undefined;
  return refuse("wait", { code: "BatchFull", cluster: snapshot.cluster.name, rolling: places, batchSize });
};

/** Only batches have a delay between them; a window goes on as places get free. */
function choosePaced(snapshot: ExecutorSnapshot, job: JobFacts, isRollback: boolean) {
  const settings = settingsFor(snapshot, job);
  if (settings?.strategy !== "Batched") return undefined;
  return isRollback ? settings.rollbackBatch : settings.batch;
}

/**
 * The delay between two batches, by what this process saw roll: a second job must not shorten it (rules 3.3). What rolls
 * already is no new one, and what is broken is rolled back at once.
 */
export const checkPace: ItemCheck = (snapshot, job, _, { key, rollbackSince, unavailable }) => {
  const batch = choosePaced(snapshot, job, rollbackSince !== undefined);
  const isAtOnce = snapshot.rolling.has(key) || (rollbackSince !== undefined && unavailable);
  const verdict = batch === undefined || isAtOnce ? undefined : judgePace(snapshot.pace, batch, key);
  if (verdict === undefined) return undefined;
  const until = printTime(snapshot.now + verdict.untilElapsed - snapshot.pace.elapsed);
  return refuse("wait", { code: "DelayBetweenBatches", cluster: snapshot.cluster.name, until });
};

/** What moves plus what became unavailable since the run began, by what this cluster shows now (rules 3.3). */
export const checkUnavailable: ItemCheck = (snapshot, job, _, { rollbackSince }) => {
  if (rollbackSince !== undefined) return undefined;
  const { maxUnavailable } = settingsFor(snapshot, job)?.batch ?? {};
  const before = lookUp(findRunById(snapshot.ledger, job.run)?.clusters, snapshot.cluster.name)?.unhealthyBefore ?? [];
  const missing = countUnavailable(snapshot.judged.list("short"), new Set(before));
  const allowed = countAllowed(maxUnavailable, snapshot.judged.count("managed"));
  if (missing < allowed) return undefined;
  return refuse("wait", { code: "MaxUnavailable", cluster: snapshot.cluster.name, missing, allowed });
};
