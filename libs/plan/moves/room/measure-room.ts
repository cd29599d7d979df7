import type { Settings } from "#libs/campaign";
import { lookUp } from "#libs/input";
import type { Reason } from "#libs/wording";

import { type JudgedWorkloads, listPlaceless, listStalled } from "../../index/index.ts";
import { chooseBatchSettings } from "../../main/index.ts";
import { type ClusterSnapshot, printTime, type RunRecord } from "../../records/index.ts";
import { countAllowed, countUnavailable } from "../../workloads/index.ts";

/**
 * The facts for measuring room: for the planner what executors published, for an executor its own facts before each patch
 * (rules 4.3).
 */
export interface RoomFacts {
  readonly now: number;
  readonly cluster: ClusterSnapshot;
  readonly judged: JudgedWorkloads;
  /** The settings of a run; undefined where no file has them. */
  readonly settingsFor: (run: RunRecord | undefined) => Settings | undefined;
  /**
   * How many workloads roll because of us, whichever run moved them; an executor includes writes that its watch has not shown
   * (rules 4.2).
   */
  readonly countRolling: () => number;
  /** How many workloads of the present batch its executor has begun; absent = unknown, then the batch counts as full. */
  readonly begun?: number | undefined;
}

/** The run that asks for room. */
export interface Mover {
  readonly run: RunRecord;
  readonly settings: Settings;
  readonly isRollback: boolean;
}

/**
 * How many places of the batch are taken: all that rolls because of us, without workloads that gave up their place (rules 4.2,
 * 4.7).
 */
function countPlaces({ judged, cluster, settingsFor, countRolling }: RoomFacts, { isRollback }: Mover): number {
  const rolling = countRolling();
  if (rolling === 0) return 0;
  const question = { judged, serverNow: cluster.serverNow, settingsFor };
  return rolling - (isRollback ? listPlaceless(question) : listStalled(question)).size;
}

/** How many more workloads may become unavailable, or why none (rules 3.3). Does not limit rollbacks (rules 2.3). */
function measureUnavailable({ judged, cluster }: RoomFacts, { run, settings, isRollback }: Mover): number | Reason {
  if (isRollback) return Number.POSITIVE_INFINITY;
  const allowed = countAllowed(settings.batch.maxUnavailable, judged.count("managed"));
  // Workloads that were unavailable before do not count; they are only looked up where room is short.
  const atLeast = allowed - judged.count("lacksPods");
  if (atLeast >= settings.batch.batchSize) return atLeast;
  const opened = lookUp(run.clusters, cluster.name);
  const missing = countUnavailable(judged.list("lacksPods"), new Set(opened?.unhealthyBefore));
  if (missing < allowed) return allowed - missing;
  return { code: "MaxUnavailable", cluster: cluster.name, missing, allowed };
}

/** How many more workloads of a cluster may be moved now, or why none. */
export function measureRoom(facts: RoomFacts, mover: Mover): number | Reason {
  const left = measureUnavailable(facts, mover);
  if (typeof left !== "number") return left;
  const { batchSize } = chooseBatchSettings(mover.settings, mover.isRollback);
  const rolling = countPlaces(facts, mover);
  if (rolling < batchSize) return Math.min(batchSize - rolling, left);
  return { code: "BatchFull", cluster: facts.cluster.name, rolling, batchSize };
}

/**
 * How many workloads the batches allow now, with every strategy but `Window`: the next batch waits until the previous one has
 * settled, and then for the delay. A batch that is only partly begun is continued.
 */
function measurePause(facts: RoomFacts, mover: Mover): number | Reason {
  if (mover.settings.strategy === "Window") return Number.POSITIVE_INFINITY;
  const { name, batchEndedAt } = facts.cluster;
  const { batchSize, delayBetweenBatches } = chooseBatchSettings(mover.settings, mover.isRollback);
  const rolling = countPlaces(facts, mover);
  if (rolling > 0) {
    const left = batchSize - (facts.begun ?? batchSize);
    return left > 0 ? left : { code: "BatchSettling", cluster: name, rolling };
  }
  const next = batchEndedAt + delayBetweenBatches;
  if (next <= facts.now) return batchSize;
  return { code: "DelayBetweenBatches", cluster: name, until: printTime(next) };
}

/** The size of the next batch, or why there is none now. */
export function measureBatch(facts: RoomFacts, mover: Mover): number | Reason {
  const pause = measurePause(facts, mover);
  if (typeof pause !== "number") return pause;
  const room = measureRoom(facts, mover);
  return typeof room === "number" ? Math.min(pause, room) : room;
}
