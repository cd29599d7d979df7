import type { Settings } from "#libs/campaign";
import { lookUp } from "#libs/input";
import type { Reason } from "#libs/wording";

import { type JudgedWorkloads, listPlaceless, listStalled } from "../../index/index.ts";
import { type ClusterSnapshot, printTime, type RunRecord } from "../../records/index.ts";
import { countAllowed, countUnavailable } from "../../workloads/index.ts";

/** What room is measured by: by the planner what executors published, by an executor its own facts before each patch (rules 4.3). */
export interface RoomFacts {
  readonly now: number;
  readonly cluster: ClusterSnapshot;
  readonly judged: JudgedWorkloads;
  /** What a run moves by; undefined where no file says it. */
  readonly settingsFor: (run: RunRecord | undefined) => Settings | undefined;
  /** How many roll because of us, whichever run moved them; an executor counts writes that its watch has not shown (rules 4.2). */
  readonly countRolling: () => number;
  /** How many workloads the batch has that rolls, as its executor saw; absent = not known: it is taken for a whole one. */
  readonly begun?: number | undefined;
}

/** Who asks for room. */
export interface Mover {
  readonly run: RunRecord;
  readonly settings: Settings;
  readonly isRollback: boolean;
}

/** What takes a place of the batch: all that rolls because of us, but for what gave its place up (rules 4.2, 4.7). */
function countPlaces({ judged, cluster, settingsFor, countRolling }: RoomFacts, { isRollback }: Mover): number {
  const rolling = countRolling();
  if (rolling === 0) return 0;
  const question = { judged, serverNow: cluster.serverNow, settingsFor };
  return rolling - (isRollback ? listPlaceless(question) : listStalled(question)).size;
}

/** A rollback moves by `rollback.batch` (rules 2.3). */
function chooseBatchSettings({ settings, isRollback }: Mover) {
  return isRollback ? settings.rollbackBatch : settings.batch;
}

/** Why no more may become unavailable; or how many may (rules 3.3). A rollback does not heed it (rules 2.3). */
function measureUnavailable({ judged, cluster }: RoomFacts, { run, settings, isRollback }: Mover): number | Reason {
  if (isRollback) return Number.POSITIVE_INFINITY;
  const allowed = countAllowed(settings.batch.maxUnavailable, judged.count("managed"));
  // What was unavailable before does not count; where there is room for those too, they are not looked up.
  const atLeast = allowed - judged.count("short");
  if (atLeast >= settings.batch.batchSize) return atLeast;
  const opened = lookUp(run.clusters, cluster.name);
  const missing = countUnavailable(judged.list("short"), new Set(opened?.unhealthyBefore));
  if (missing < allowed) return allowed - missing;
  return { code: "MaxUnavailable", cluster: cluster.name, missing, allowed };
}

/** How many more of a cluster may be put in motion now; or why none. */
export function measureRoom(facts: RoomFacts, mover: Mover): number | Reason {
  const left = measureUnavailable(facts, mover);
  if (typeof left !== "number") return left;
  const { batchSize } = chooseBatchSettings(mover);
  const rolling = countPlaces(facts, mover);
  if (rolling < batchSize) return Math.min(batchSize - rolling, left);
  return { code: "BatchFull", cluster: facts.cluster.name, rolling, batchSize };
}

/**
 * How many the next batch of strategy `Batched` may have: it waits until the one before has settled, and then for the delay. One that
 * is only begun is gone on with.
 */
function measurePause(facts: RoomFacts, mover: Mover): number | Reason {
  if (mover.settings.strategy !== "Batched") return Number.POSITIVE_INFINITY;
  const { name, batchEndedAt } = facts.cluster;
  const { batchSize, delayBetweenBatches } = chooseBatchSettings(mover);
  const rolling = countPlaces(facts, mover);
  if (rolling > 0) {
    const left = batchSize - (facts.begun ?? batchSize);
    return left > 0 ? left : { code: "BatchSettling", cluster: name, rolling };
  }
  const next = batchEndedAt + delayBetweenBatches;
  if (next <= facts.now) return batchSize;
  return { code: "DelayBetweenBatches", cluster: name, until: printTime(next) };
}

/** How many the next batch may have; or why there is none now. */
export function measureBatch(facts: RoomFacts, mover: Mover): number | Reason {
  const pause = measurePause(facts, mover);
  if (typeof pause !== "number") return pause;
  const room = measureRoom(facts, mover);
  return typeof room === "number" ? Math.min(pause, room) : room;
}
