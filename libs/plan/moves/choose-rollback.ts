import type { RunInCluster } from "../index/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";
import { type BatchChoice, type BatchInput, findRevisionWait, makeBatch, wait } from "./batch-choice.ts";
import { type Candidates, openCandidates, skipRefused, take } from "./candidates.ts";
import { measureBatch } from "./room/measure-room.ts";

/** Upper limit of workloads rolled back at once; the rest follows with the next job. */
const largestBatch = 200;

interface Chosen {
  readonly workloads: readonly JudgedWorkload[];
  /** Absent: they roll or are broken, and are rolled back without a batch size. */
  readonly batchSize?: number;
}

/** The next workloads: rolling or broken ones at once, the others by `rollback.batch` (rules 2.3). */
function chooseNext(input: BatchInput, candidates: Candidates): Chosen | BatchChoice {
  // Rolling towards a revision that is being rolled back, or broken.
  const atOnce = take(skipRefused(input, candidates.listPart("urgent")), largestBatch);
  if (atOnce.length > 0) return { workloads: atOnce };
  const mover = { ...input, isRollback: true };
  const room = measureBatch(input, mover);
  if (typeof room !== "number") return wait(input.run.id, room);
  const workloads = take(skipRefused(input, candidates.list()), room);
  return { workloads, batchSize: input.settings.rollbackBatch.batchSize };
}

/** Why none moves although there is room: another namespace has begun, or the API server refused all of them. */
function nameHeld({ cluster: { name: cluster }, refused, run }: BatchInput, classes: RunInCluster): BatchChoice {
  const held = [...classes.list(["rollback"])].filter(({ key }) => refused?.has(key) === true);
  const [example] = held;
  if (example === undefined) return wait(run.id, { code: "NamespaceBegun", cluster });
  return wait(run.id, { code: "WritesRefused", cluster, count: held.length, example: example.key });
}

/** One run's next batch of workloads that are rolled back. Waves, bakes and most stops do not hold it (rules 2.3). */
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
