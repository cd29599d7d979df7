import { lookUp } from "#libs/input";

import type { RunInCluster } from "../index/index.ts";
import type { Due } from "../records/index.ts";
import { type BatchChoice, type BatchInput, findRevisionWait, makeBatch, mostInBatch, wait } from "./batch-choice.ts";
import { openCandidates, take } from "./candidates.ts";
import { measureBatch } from "./room/measure-room.ts";

/** One run's next forward batch in one cluster, of the class `due`. */
export function chooseForward(input: BatchInput, classes: RunInCluster, due: Exclude<Due, "rollback">): BatchChoice {
  const { run, settings } = input;
  const { name } = input.cluster;
  if (classes.count([due]) === 0) return { kind: "nothing" };
  if (lookUp(run.clusters, name) === undefined) return wait(run.id, { code: "WaveClosed", cluster: name });
  const candidates = openCandidates(input, classes, due);
  if ("kind" in candidates) return candidates;
  // Workloads that already roll towards a revision that main no longer wants take no new place and come first: that revision
  // may never become ready (rules 4.2: a patch does not count against its own workload).
  const rolling = candidates.listPart("rolling");
  const mover = { ...input, isRollback: false };
  const { batchSize } = settings.batch;
  const room = rolling.length > 0 ? batchSize : measureBatch(input, mover);
  if (typeof room !== "number") return wait(run.id, room);
  const chosen = take(rolling.length > 0 ? rolling : candidates.list(), Math.min(room, mostInBatch));
  const obstacle = findRevisionWait(input, chosen);
  if (obstacle !== undefined) return obstacle;
  if (chosen.length === 0) return wait(run.id, { code: "NamespaceBegun", cluster: name });
  const counts = { chosen: chosen.length, pending: candidates.total, batchSize };
  const batch = makeBatch(input, due, chosen);
  return { kind: "batch", batch, reason: { code: "BatchReady", cluster: name, ...counts } };
}
