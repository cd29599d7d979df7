import type { RunInCluster } from "../index/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";
import { type BatchChoice, type BatchInput, findRevisionWait, makeBatch, wait } from "./batch-choice.ts";
import { type Candidates, openCandidates, skipRefused, take } from "./candidates.ts";
import { measureBatch } from "./room/measure-room.ts";

/** One batch has no more: what is left over follows at once with the next. */
const largestBatch = 200;

interface Chosen {
  readonly workloads: readonly JudgedWorkload[];
  /** Absent: they roll or are broken, and go at once. */
  readonly batchSize?: number;
}

/** Who goes next: what rolls or is broken at once, the others by `rollback.batch` (rules 2.3). */
function chooseNext(input: BatchInput, candidates: Candidates): Chosen | BatchChoice {
  // What rolls towards what no run wants any more, or is broken, goes first and at once (rules 2.3).
  const atOnce = take(skipRefused(input, candidates.listPart("urgent")), largestBatch);
  if (atOnce.length > 0) return { workloads: atOnce };
  const mover = { ...input, isRollback: true };
  const room = measureBatch(input, mover);
  if (typeof room !== "number") return wait(input.run.id, room);
  const workloads = take(skipRefused(input, candidates.list()), room);
  return { workloads, batchSize: input.settings.rollbackBatch.batchSize };
}

/** Why none of them goes, though there is room: another namespace is on its way, or the API server refused them all. */
function nameHeld({ cluster: { name: cluster }, refused, run }: BatchInput, classes: RunInCluster): BatchChoice {
  const held = [...classes.list(["rollback"])].filter(({ key }) => refused?.has(key) === true);
  const [example] = held;
  if (example === undefined) return wait(run.id, { code: "NamespaceBegun", cluster });
  return wait(run.id, { code: "WritesRefused", cluster, count: held.length, example: example.key });
}

/** One run's next batch of workloads that are rolled back: it heeds no wave, no bake and few stops (rules 2.3). */
export function chooseRollback(input: BatchInput, classes: RunInCluster): BatchChoice {
  if (classes.count(["rollback"]) === 0) return { kind: "nothing" };
  const candidates = openCandidates(input, classes, "rollback");
  if ("kind" in candidates) return candidates;
  const next = chooseNext(input, candidates);
  if ("kind" in next) return next;
  const obstacle = findRevisionWait(input, next.workloads);
  if (obstacle !== undefined) return obstacle;
  const { workloads, ...how } = next;
  if (workloads.length === 0) return nameHeld(input, classes);
  const counts = { chosen: workloads.length, pending: candidates.total, ...how };
  return {
    kind: "batch",
    batch: makeBatch(input, "rollback", workloads),
    reason: { code: "RollbackReady", cluster: input.cluster.name, ...counts },
  };
}
