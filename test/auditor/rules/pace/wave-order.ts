import type { AuditedCluster, AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { isExcluded, isSkipped, settingsOf } from "../../reading/files/settings.ts";
import { headsAt } from "../../reading/main/heads.ts";
import { findFailed } from "../../reading/writes/find-failed.ts";
import { listMoves, type Move } from "../../reading/writes/moves.ts";

/** How long before its first move a wave may have been opened, ms. */
const openedBeforeMs = 10_000;

/** The waves of a run and the delay between them. */
export interface Order {
  readonly waves: readonly (readonly string[])[];
  readonly delayMs: number;
}

/** Undefined where the campaign changed them at that moment. */
export function findOrder(evidence: Evidence, run: AuditedRun, at: number): Order | undefined {
  const orders = headsAt(evidence, at).map((head) => settingsOf(head, run));
  const distinct = new Map(orders.map((each) => [JSON.stringify([each.order, each.delayBetweenWavesMs]), each]));
  const [only] = distinct.values();
  return distinct.size !== 1 || only === undefined
    ? undefined
    : { waves: only.order, delayMs: only.delayBetweenWavesMs };
}

/**
 * Clusters that the order does not name come last. A cluster that was unknown when the run began belongs to the last wave with
 * a known one.
 */
export function findWave({ waves }: Order, { expected }: AuditedRun, cluster: string): number {
  const find = (name: string): number => {
    const index = waves.findIndex((wave) => wave.includes(name));
    return index === -1 ? waves.length : index;
  };
  return expected === undefined || expected.length === 0 || expected.includes(cluster)
    ? find(cluster)
    : Math.max(...expected.map(find));
}

/** True for a workload that was created after the next wave had begun, or of a run with a retry: it follows no order. */
export function isLate({ created }: AuditedCluster, move: Move, since: number): boolean {
  const isForgiven = Object.keys(move.run?.retried ?? {}).length > 0;
  return isForgiven || created.some(({ path, at }) => path === move.path && at >= since);
}

/** When a workload settled after this move; undefined while it rolls. */
function findRest({ statuses }: AuditedCluster, move: Move): number | undefined {
  return statuses.find(({ path, version, settled }) => path === move.path && version >= move.write.version && settled)
    ?.at;
}

/** When a move was over: it settled, or was marked as failed; undefined while it rolls. */
export function findEnd(move: Move): number | undefined {
  const [rest, failed] = [findRest(move.cluster, move), findFailed(move.cluster, move)];
  return rest === undefined || failed === undefined ? (rest ?? failed) : Math.min(rest, failed);
}

/** A run and its first tries of moves forward. */
export interface RunMoves {
  readonly evidence: Evidence;
  readonly run: AuditedRun;
  readonly moves: readonly Move[];
}

/** True when main excludes the move's cluster or namespace from the run at that moment. */
export function isOut({ evidence, run }: RunMoves, each: Move, at: number): boolean {
  return headsAt(evidence, at).some(
    (head) => isSkipped(head, each.cluster.name) || isExcluded(head, run, each.namespace, at - openedBeforeMs),
  );
}

/** First tries of moves forward of a run, for all its workloads. */
export function listFirstTries(evidence: Evidence, run: AuditedRun): readonly Move[] {
  return listMoves(evidence).filter((move) => {
    return move.isWorkload && move.way === "forward" && move.runId === run.id && move.attempt === 1;
  });
}
