import { type BatchChoice, type BatchInput, findRevisionWait, makeBatch, wait } from "./batch-choice.ts";
import { openCandidates, take } from "./candidates.ts";
import { printTime } from "./iso-time.ts";
import type { RunInCluster, RunView } from "./run-view.ts";

/** One job carries no more: what is left over follows at once with the next. */
const largestJob = 200;

/**
 * How many that serve well may go back now, by `rollback.batch`; or why none. What is stuck on the way that is undone
 * takes no place, and `maxUnavailable` does not count (rules 2.3, 4.2).
 */
function measureRoom(input: BatchInput, run: string): number | BatchChoice {
  const { cluster, settings, judged, now } = input;
  const { batchSize, delayBetweenBatches } = settings.rollbackBatch;
  const rolling = judged.count("rollingOn");
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

/** One run's next batch of workloads that go back: it heeds no wave, no bake and few stops (rules 2.3). */
export function chooseReturn(input: BatchInput, view: RunView, classes: RunInCluster): BatchChoice {
  const { id } = view.run;
  if (classes.count(["back"]) === 0) return { kind: "nothing" };
  const candidates = openCandidates(input, id, classes, "back");
  if ("kind" in candidates) return candidates;
  // What rolls towards what nobody wants any more, or is broken, goes first and at once (rules 2.3).
  const urgent = take(candidates.listPart("urgent"), largestJob);
  const room = urgent.length > 0 ? urgent.length : measureRoom(input, id);
  if (typeof room !== "number") return room;
  const chosen = urgent.length > 0 ? urgent : take(candidates.list(), room);
  const obstacle = findRevisionWait(input, id, chosen);
  if (obstacle !== undefined) return obstacle;
  if (chosen.length === 0) {
    const message = `another namespace of ${input.cluster.name} whose label decides is not through yet`;
    return wait(id, "NamespaceBegun", message, "the workloads");
  }
  const how =
    urgent.length > 0
      ? "what rolls or is broken goes first"
      : `rollback.batch ${input.settings.rollbackBatch.batchSize}`;
  const message = `${chosen.length} of ${candidates.total} workloads of ${input.cluster.name} go back, ${how}`;
  return {
    kind: "batch",
    batch: makeBatch(input, view, chosen),
    reason: { code: "ReturnReady", message, owner: "meshroll" },
  };
}
