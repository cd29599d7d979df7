import { type BatchChoice, type BatchInput, findRevisionWait, makeBatch, mostInBatch, wait } from "./batch-choice.ts";
import { lookUp } from "#libs/input";

import { findClusterObstacle } from "../conditions/index.ts";
import { printTime } from "../records/index.ts";
import { blockers, countAllowed, countUnavailable } from "../workloads/index.ts";
import { listStalled, type RunClass, type RunInCluster, type RunView } from "../index/index.ts";
import { settingsOf } from "../main/index.ts";
import { openCandidates, take } from "./candidates.ts";
import { chooseRollback } from "./choose-rollback.ts";

/** What takes a place of the batch: all that rolls because of us, but for what gave its place up (rules 4.7). */
function countPlaces({ judged, cluster, head }: BatchInput): number {
  const rolling = judged.count("rolling");
  if (rolling === 0) return 0;
  const stalled = listStalled({ judged, serverNow: cluster.serverNow, settingsFor: (run) => settingsOf(head, run) });
  return rolling - stalled.size;
}

/** How many may be put in motion now; or the reason why none. */
function measureRoom(input: BatchInput, run: string): number | BatchChoice {
  const { batch, strategy } = input.settings;
  const rolling = countPlaces(input);
  const { name } = input.cluster;
  if (strategy === "Batched") {
    if (rolling > 0) return wait(run, { code: "BatchSettling", cluster: name, rolling });
    const next = input.cluster.batchEndedAt + batch.delayBetweenBatches;
    if (next > input.now) return wait(run, { code: "DelayBetweenBatches", cluster: name, until: printTime(next) });
  }
  const places = batch.batchSize - rolling;
  const left = countLeftUnavailable(input, run);
  const room = Math.min(places, left.room);
  if (room > 0) return room;
  return left.room <= 0
    ? wait(run, { code: "MaxUnavailable", cluster: name, missing: left.missing, allowed: left.allowed })
    : wait(run, { code: "BatchFull", cluster: name, rolling, batchSize: batch.batchSize });
}

/** How many more may become unavailable (rules 3.3). */
function countLeftUnavailable(
  { judged, settings, views, cluster }: BatchInput,
  run: string,
): { readonly room: number; readonly missing: number; readonly allowed: number } {
  const allowed = countAllowed(settings.batch.maxUnavailable, judged.count("managed"));
  // What was unavailable before does not count; where there is room for those too, they are not looked up.
  const atLeast = allowed - judged.count("short");
  if (atLeast >= settings.batch.batchSize) return { room: atLeast, missing: 0, allowed };
  const opened = lookUp(views.find((view) => view.run.id === run)?.run.clusters, cluster.name);
  const missing = countUnavailable(judged.list("short"), new Set(opened?.unhealthyBefore));
  return { room: allowed - missing, missing, allowed };
}

/** Who may go forward now: due first, and those unhealthy before the run when nothing else is left. */
function chooseCandidates(
  { onlyRollbacks, held }: BatchInput,
  run: string,
  classes: RunInCluster,
): RunClass | undefined {
  if (onlyRollbacks || held.has(run)) return undefined;
  if (classes.count(["pending"]) > 0) return "pending";
  const isLast = classes.count(["migrating", "waiting", "rollback"]) === 0 && classes.count(["pendingLast"]) > 0;
  return isLast ? "pendingLast" : undefined;
}

/** One run's next forward batch in one cluster. */
function chooseForward(input: BatchInput, view: RunView, classes: RunInCluster): BatchChoice {
  const { run } = view;
  const { name } = input.cluster;
  const chosenClass = chooseCandidates(input, run.id, classes);
  if (chosenClass === undefined) return { kind: "nothing" };
  if (lookUp(run.clusters, name) === undefined) return wait(run.id, { code: "WaveClosed", cluster: name });
  const candidates = openCandidates(input, run.id, classes, chosenClass);
  if ("kind" in candidates) return candidates;
  // What rolls already towards a revision that main does not want any more takes no new place, and goes before the
  // rest: what it rolls towards may never come (rules 4.2: its own patch does not count against itself).
  const rolling = candidates.listPart("rolling");
  const room = rolling.length > 0 ? input.settings.batch.batchSize : measureRoom(input, run.id);
  if (typeof room !== "number") return room;
  const chosen = take(rolling.length > 0 ? rolling : candidates.list(), Math.min(room, mostInBatch));
  const obstacle = findRevisionWait(input, run.id, chosen);
  if (obstacle !== undefined) return obstacle;
  if (chosen.length === 0) return wait(run.id, { code: "NamespaceBegun", cluster: name });
  const { batchSize } = input.settings.batch;
  const counts = { chosen: chosen.length, pending: candidates.total, batchSize };
  const batch = makeBatch(input, view, chosen);
  return { kind: "batch", batch, reason: { code: "BatchReady", cluster: name, ...counts } };
}

/** What waits for another party, by cause: one wait each, with the first of them as the example. */
function nameWaiting(run: string, cluster: string, classes: RunInCluster): readonly BatchChoice[] {
  return blockers.flatMap((by) => {
    const first = classes.findWaitingOne(by);
    if (first?.state.kind !== "waiting") return [];
    const example = { workload: first.key, reason: first.state.reason };
    return [wait(run, { code: by, cluster, count: classes.countWaiting(by), example })];
  });
}

type Chooser = (input: BatchInput, view: RunView, classes: RunInCluster) => BatchChoice;

/** What every choice waits for, no matter which workload is due: the cluster, and the job that it has. */
function findObstacle({ cluster }: BatchInput, run: string): BatchChoice | undefined {
  const reason = findClusterObstacle(cluster);
  if (reason !== undefined) return wait(run, reason);
  if (cluster.batch === undefined) return undefined;
  if (cluster.batch.state === "unread") return wait(run, { code: "QueueDown" });
  return wait(run, { code: "BatchInHand", cluster: cluster.name, run: cluster.batch.run });
}

/** The cluster's next batch: one at a time; returns first, then the oldest run; never of two runs (rules 1.3, 4.1). */
export function chooseBatch(input: BatchInput): readonly BatchChoice[] {
  const { cluster } = input;
  const waits: BatchChoice[] = [];
  for (const choose of [chooseRollback, chooseForward] satisfies readonly Chooser[]) {
    for (const view of input.views) {
      const classes = view.clusters.get(cluster.name);
      if (classes === undefined) continue;
      if (cluster.fresh && choose === chooseForward) waits.push(...nameWaiting(view.run.id, cluster.name, classes));
      const choice = choose({ ...input, settings: settingsOf(input.head, view.run) }, view, classes);
      if (choice.kind === "nothing") continue;
      const obstacle = findObstacle(input, view.run.id);
      if (obstacle !== undefined) waits.push(obstacle);
      else if (choice.kind === "batch") return [...waits, choice];
      else waits.push(choice);
    }
  }
  return waits;
}
