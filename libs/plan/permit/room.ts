import { lookUp } from "#libs/input";
import { countAllowed, countUnavailable } from "../availability.ts";
import { printTime } from "../iso-time.ts";
import { judgePace } from "./batch-pace.ts";
import { type ExecutorWorld, findRunById, type ItemCheck, type JobFacts, say, settingsFor } from "./facts.ts";

/**
 * What takes a place: a workload that made no progress for its share of time gave it up (rules 4.7), and for a return one that is
 * stuck on a way that is undone takes none (rules 4.2).
 */
function countPlaces({ rolling, stalled, judged }: ExecutorWorld, isReturn: boolean): number {
  const isUndone = (key: string): boolean => isReturn && judged.find(key)?.standing.kind === "due";
  return [...rolling].filter((key) => !stalled.has(key) && !isUndone(key)).length;
}

/** A workload's own patch does not count against itself (rules 4.2), and what is broken goes back at once (rules 2.3). */
export const checkRoom: ItemCheck = (world, job, _, { key, returnSince, unavailable }) => {
  const isReturn = returnSince !== undefined;
  const settings = settingsFor(world, job);
  const batchSize = (isReturn ? settings?.rollbackBatch : settings?.batch)?.batchSize ?? 1;
  const places = countPlaces(world, isReturn);
  if (world.rolling.has(key) || (isReturn && unavailable) || places < batchSize) return undefined;
  return say("wait", "BatchFull", `${places} workloads roll, batchSize is ${batchSize}`, "the workloads");
};

/** Only batches have a delay between them; a window goes on as places get free. */
function choosePaced(world: ExecutorWorld, job: JobFacts, isReturn: boolean) {
  const settings = settingsFor(world, job);
  if (settings?.strategy !== "Batched") return undefined;
  return isReturn ? settings.rollbackBatch : settings.batch;
}

/**
 * The delay between two batches, by what this process saw roll: a second job must not shorten it (rules 3.3). What rolls
 * already is no new one, and what is broken goes back at once.
 */
export const checkPace: ItemCheck = (world, job, _, { key, returnSince, unavailable }) => {
  const batch = choosePaced(world, job, returnSince !== undefined);
  const isAtOnce = world.rolling.has(key) || (returnSince !== undefined && unavailable);
  const verdict = batch === undefined || isAtOnce ? undefined : judgePace(world.pace, batch, key);
  if (verdict === undefined) return undefined;
  const until = printTime(world.now + verdict.untilElapsed - world.pace.elapsed);
  const message = `the next batch in ${world.cluster.name} starts after the delay`;
  return { kind: "wait", reason: { code: "DelayBetweenBatches", message, owner: "meshroll", until } };
};

/** What moves plus what became unavailable since the run began, by what this cluster shows now (rules 3.3). */
export const checkUnavailable: ItemCheck = (world, job, _, { returnSince }) => {
  if (returnSince !== undefined) return undefined;
  const { maxUnavailable } = settingsFor(world, job)?.batch ?? {};
  const before = lookUp(findRunById(world.ledger, job.run)?.clusters, world.cluster.name)?.unhealthyBefore ?? [];
  const missing = countUnavailable(world.judged.list("short"), new Set(before));
  const allowed = countAllowed(maxUnavailable, world.judged.count("managed"));
  const message = `${missing} workloads are unavailable, ${allowed} are allowed`;
  return missing < allowed ? undefined : say("wait", "MaxUnavailable", message, "the workloads");
};
