import { printTime } from "../records/index.ts";
import { listStalled, type RunInCluster, type RunView } from "../index/index.ts";
import { settingsOf } from "../main/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";
import { type BatchChoice, type BatchInput, findRevisionWait, makeBatch, wait } from "./batch-choice.ts";
import { type Candidates, openCandidates, skipTried, take } from "./candidates.ts";

/** One job carries no more: what is left over follows at once with the next. */
const largestJob = 200;

/** What takes a place: what is stuck on the way that is undone takes none, nor what gave its place up (rules 4.2, 4.7). */
function countPlaces({ judged, cluster, head }: BatchInput): number {
  const rolling = judged.count("rollingOn");
  if (rolling === 0) return 0;
  const stalled = listStalled({ judged, serverNow: cluster.serverNow, settingsFor: (run) => settingsOf(head, run) });
  return rolling - [...stalled.keys()].filter((key) => judged.find(key)?.state.kind !== "pending").length;
}

/**
 * How many that serve well may go back now, by `rollback.batch`; or why none. What is stuck on the way that is undone
 * takes no place, and `maxUnavailable` does not count (rules 2.3, 4.2).
 */
function measureRoom(input: BatchInput, run: string): number | BatchChoice {
  const { cluster, settings, now } = input;
  const { batchSize, delayBetweenBatches } = settings.rollbackBatch;
  const rolling = countPlaces(input);
  if (settings.strategy === "Window") {
    if (rolling < batchSize) return batchSize - rolling;
    return wait(
      run,
      "BatchFull",
      `${rolling} workloads roll in ${cluster.name}, batchSize is ${batchSize}`,
      "the workloads",
    );
  }
  if (rolling > 0) {
    return wait(run, "BatchSettling", `${rolling} workloads still roll in ${cluster.name}`, "the workloads");
  }
  const next = cluster.batchEndedAt + delayBetweenBatches;
  if (next <= now) return batchSize;
  const message = `the next batch in ${cluster.name} starts after the delay`;
  return wait(run, "DelayBetweenBatches", message, "meshroll", { until: printTime(next) });
}

interface Chosen {
  readonly workloads: readonly JudgedWorkload[];
  readonly how: string;
}

/** Nothing holds a rollback, so one whose batches break is tried less and less often, and says why (rules 2.3). */
function findBackoff({ cluster, now }: BatchInput, run: string): BatchChoice | undefined {
  const { broken } = cluster;
  if (broken?.run !== run || broken.until <= now) return undefined;
  const count = `${broken.times} batches in a row`;
  const message = `${count} of what goes back broke in ${cluster.name}, it is tried again: ${broken.reason}`;
  return wait(run, "JobFailed", message, `whoever runs ${cluster.name}`, { until: printTime(broken.until) });
}

/** Who goes next: what rolls or is broken at once, the others by `rollback.batch`; whose batch broke comes after all others. */
function chooseNext(input: BatchInput, run: string, candidates: Candidates): Chosen | BatchChoice {
  // What rolls towards what nobody wants any more, or is broken, goes first and at once (rules 2.3).
  const urgent = candidates.listPart("urgent");
  const untried = take(skipTried(input, run, urgent), largestJob);
  const hasOthers = take(skipTried(input, run, candidates.list()), 1).length > 0;
  const atOnce = hasOthers ? untried : take(urgent, largestJob);
  if (atOnce.length > 0) return { workloads: atOnce, how: "what rolls or is broken goes first" };
  const room = measureRoom(input, run);
  if (typeof room !== "number") return room;
  const workloads = take(hasOthers ? skipTried(input, run, candidates.list()) : candidates.list(), room);
  return { workloads, how: `rollback.batch ${input.settings.rollbackBatch.batchSize}` };
}

/** One run's next batch of workloads that go back: it heeds no wave, no bake and few stops (rules 2.3). */
export function chooseRollback(input: BatchInput, view: RunView, classes: RunInCluster): BatchChoice {
  const { id } = view.run;
  if (classes.count(["rollback"]) === 0) return { kind: "nothing" };
  const candidates = openCandidates(input, id, classes, "rollback");
  if ("kind" in candidates) return candidates;
  const next = findBackoff(input, id) ?? chooseNext(input, id, candidates);
  if ("kind" in next) return next;
  const obstacle = findRevisionWait(input, id, next.workloads);
  if (obstacle !== undefined) return obstacle;
  if (next.workloads.length === 0) {
    const message = `another namespace of ${input.cluster.name} whose label decides is not through yet`;
    return wait(id, "NamespaceBegun", message, "the workloads");
  }
  const message = `${next.workloads.length} of ${candidates.total} workloads of ${input.cluster.name} go back, ${next.how}`;
  return {
    kind: "batch",
    batch: makeBatch(input, view, next.workloads),
    reason: { code: "RollbackReady", message, owner: "meshroll" },
  };
}
