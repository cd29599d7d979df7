import type { Settings } from "#libs/campaign";
import { lookUp } from "#libs/input";
import type { Reason } from "#libs/wording";

import { type JudgedWorkloads, listPlaceless, listStalled } from "../index/index.ts";
import { type ClusterSnapshot, printTime, type RunRecord } from "../records/index.ts";
import { countAllowed, countUnavailable } from "../workloads/index.ts";
import { judgePace, type Pace } from "./pace.ts";

/** What room is measured by: by the planner what executors published, by an executor its own facts before each patch (rules 4.3). */
export interface RoomFacts {
  readonly now: number;
  readonly cluster: ClusterSnapshot;
  readonly judged: JudgedWorkloads;
  /** What a run moves by; undefined where no file says it. */
  readonly settingsFor: (run: RunRecord | undefined) => Settings | undefined;
  /** How many roll because of us, whichever run moved them; an executor counts writes that its watch has not shown (rules 4.2). */
  readonly rolling: number;
  /** What an executor saw roll, and when: by it a batch that was begun is gone on with. Absent = a planner's. */
  readonly pace?: Pace;
}

/** Who asks for room. */
export interface Mover {
  readonly run: RunRecord;
  readonly settings: Settings;
  readonly isRollback: boolean;
}

/** What takes a place of the batch: all that rolls because of us, but for what gave its place up (rules 4.2, 4.7). */
function countPlaces({ judged, cluster, settingsFor, rolling }: RoomFacts, { isRollback }: Mover): number {
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

/** What a planner waits for with strategy `Batched`: until all has settled, and then for the delay. */
function findPause(facts: RoomFacts, mover: Mover): Reason | undefined {
  if (mover.settings.strategy !== "Batched") return undefined;
  const { name, batchEndedAt } = facts.cluster;
  const rolling = countPlaces(facts, mover);
  if (rolling > 0) return { code: "BatchSettling", cluster: name, rolling };
  const next = batchEndedAt + chooseBatchSettings(mover).delayBetweenBatches;
  return next > facts.now ? { code: "DelayBetweenBatches", cluster: name, until: printTime(next) } : undefined;
}

/** What an executor's own pace leaves of the room: only batches have a delay between them, a window goes on as places get free. */
function limitByPace({ cluster, now }: RoomFacts, mover: Mover, pace: Pace, room: number): number | Reason {
  if (mover.settings.strategy !== "Batched") return room;
  const verdict = judgePace(pace, chooseBatchSettings(mover));
  if ("room" in verdict) return Math.min(verdict.room, room);
  const until = printTime(now + verdict.untilElapsed - pace.elapsed);
  return { code: "DelayBetweenBatches", cluster: cluster.name, until };
}

/** How many the next batch may have; or why there is none now. */
export function measureBatch(facts: RoomFacts, mover: Mover): number | Reason {
  const { pace } = facts;
  const pause = pace === undefined ? findPause(facts, mover) : undefined;
  if (pause !== undefined) return pause;
  const room = measureRoom(facts, mover);
  return pace === undefined || typeof room !== "number" ? room : limitByPace(facts, mover, pace, room);
}
