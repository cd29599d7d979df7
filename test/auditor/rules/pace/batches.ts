import type { AuditedCluster, Evidence } from "../../evidence/evidence.ts";
import { leastAsked, mostAllowed, settingsAt } from "../../reading/main/heads.ts";
import { followMotion, type Motion } from "../../reading/writes/moments.ts";
import { ledgerOf } from "../../reading/writes/moves.ts";
import { listGivenPlaces, listRests, listUndone } from "../../reading/writes/places.ts";
import { makeRule } from "../rule.ts";

/**
 * The paths that take a place of the batch next to a move. For a rollback only other rollbacks count, and not those of broken
 * workloads (which go at once), those that failed and that a run's end names, or those stuck for longer than the timeout.
 */
function listPlaces(
  { move, rolling }: Motion,
  rollingBack: ReadonlyMap<string, number>,
  timeoutMs: number,
): readonly string[] {
  const isRollingBack = (path: string): boolean => {
    const since = rollingBack.get(path);
    return since !== undefined && move.at < since + timeoutMs;
  };
  return [...rolling].filter((path) => move.way !== "rollback" || isRollingBack(path));
}

function listGivenUp(evidence: Evidence): ReadonlySet<string> {
  return new Set(ledgerOf(evidence).runs.flatMap(({ skipped, everSkipped = skipped }) => everSkipped));
}

/**
 * No more workloads roll than main's batchSize. At each move, those that we wrote before and that have not settled are counted,
 * except those that gave up their place.
 */
export const withinBatchSize = makeRule("withinBatchSize", (evidence, found) => {
  const givenUp = listGivenUp(evidence);
  for (const cluster of evidence.clusters) {
    const rollingBack = new Map<string, number>();
    for (const motion of followMotion(evidence, cluster)) {
      const { move, isUrgent } = motion;
      if (move.way === "rollback" && !isUrgent && !givenUp.has(move.key)) rollingBack.set(move.path, move.at);
      else rollingBack.delete(move.path);
      if (move.way === "undo" || (move.way === "rollback" && isUrgent)) continue;
      found.judge();
      const settings = settingsAt(evidence, move.at, move.run);
      const limit = mostAllowed(settings, (each) => (move.way === "rollback" ? each.rollbackSize : each.batchSize));
      const given = listGivenPlaces(evidence, cluster, motion);
      const timeoutMs = leastAsked(settings, (each) => each.rollbackTimeoutMs);
      const places = listPlaces(motion, rollingBack, timeoutMs).filter((path) => !given.has(path));
      if (places.length + 1 <= limit) continue;
      const names = [...places, move.path].map((path) => path.split("/namespaces/")[1]).join(", ");
      const what = `${places.length + 1} roll at once, batchSize is ${limit}: ${names}`;
      found.refuse(cluster.name, move.path, what);
    }
  }
});

/** Other workloads that roll because of us, or that settled or gave up their place less than the delay ago. */
function listRecent(evidence: Evidence, cluster: AuditedCluster, motion: Motion, delayMs: number): ReadonlySet<string> {
  const { move, rolling } = motion;
  const since = move.at - delayMs;
  const undone = listUndone(evidence, cluster, motion);
  const given = new Map([...listGivenPlaces(evidence, cluster, motion), ...undone]);
  const rests = new Map([...listRests(evidence, cluster, motion), ...undone]);
  const rested = [...rests].filter(([path, at]) => path !== move.path && at > since);
  const kept = [...rolling].filter((path) => (given.get(path) ?? Number.POSITIVE_INFINITY) > since);
  return new Set([...kept, ...rested.map(([path]) => path)]);
}

/**
 * With the strategy Batched at most batchSize workloads roll within one delay, so that a settled batch is observed before the
 * next. A workload that already rolls and is now wanted elsewhere is not counted as new.
 */
export const batchesApart = makeRule("batchesApart", (evidence, found) => {
  for (const cluster of evidence.clusters) {
    for (const motion of followMotion(evidence, cluster)) {
      const { move } = motion;
      const settings = settingsAt(evidence, move.at, move.run);
      if (move.way !== "forward" || motion.isRolling || settings.some(({ strategy }) => strategy === "Window"))
        continue;
      found.judge();
      const delayMs = leastAsked(settings, (each) => each.delayMs);
      const size = mostAllowed(settings, (each) => each.batchSize);
      const recent = listRecent(evidence, cluster, motion, delayMs);
      if (recent.size < size) continue;
      const what = `${recent.size} others rolled within delayBetweenBatches of ${delayMs} ms, batchSize is ${size}`;
      found.refuse(cluster.name, move.path, what);
    }
  }
});
