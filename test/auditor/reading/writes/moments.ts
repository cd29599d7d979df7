import type { AuditedCluster, Evidence } from "../../evidence/evidence.ts";
import { groupPath } from "../../evidence/vm-groups.ts";
import { digPart } from "../files/dig.ts";
import { isDone, isOurs } from "./hands.ts";
import { ledgerOf, listMovesIn, type Move } from "./moves.ts";
import { nameObject } from "./replay.ts";
import { findHandedOver, findUndone } from "./undone.ts";

/** A move of ours or a status of a workload, in the order of the API server. Groups of VMs take no place of a batch. */
interface Moment {
  readonly at: number;
  readonly version: number;
  readonly path: string;
  readonly move?: Move;
  readonly settled: boolean;
  /** It was annotated as failed and stays as it is: it is not waited for any more. */
  readonly mark?: boolean;
  readonly available?: boolean;
}

/** Workloads that we marked as failed without undoing anything, and that the ledger names: failures of a rollback. By path. */
function listMarks(
  cluster: AuditedCluster,
  moved: ReadonlySet<number>,
  givenUp: ReadonlySet<string>,
): readonly Moment[] {
  return cluster.writes.flatMap((write) => {
    const { at, version, path, body } = write;
    const isMark = typeof digPart(body, "metadata", "annotations")["meshroll.dev/failed"] === "string";
    const isOurMark = isMark && isOurs(write) && isDone(write) && !moved.has(version);
    return isOurMark && givenUp.has(nameObject(cluster.name, path))
      ? [{ at, version, path, settled: false, mark: true }]
      : [];
  });
}

function listMoments(evidence: Evidence, cluster: AuditedCluster, givenUp: ReadonlySet<string>): readonly Moment[] {
  const isBatched = ({ isWorkload, path }: Move): boolean => isWorkload && !groupPath.test(path);
  const moves = listMovesIn(evidence, cluster).filter(isBatched);
  const moments: readonly Moment[] = [
    ...cluster.statuses,
    ...listMarks(cluster, new Set(moves.map(({ write }) => write.version)), givenUp),
    ...moves.map((move) => ({ at: move.at, version: move.write.version, path: move.path, move, settled: false })),
  ];
  // A status with the version of a move is the watch's report of that move, so the move comes first.
  return moments.toSorted(
    (a, b) => a.version - b.version || (a.move === undefined ? 1 : 0) - (b.move === undefined ? 1 : 0),
  );
}

/** The state of a cluster just before and after one move of ours. */
export interface Motion {
  readonly move: Move;
  /** Paths that we wrote and that have not settled since, except this move's own. */
  readonly rolling: ReadonlySet<string>;
  /** Our last write to each, by path. */
  readonly moved: ReadonlyMap<string, Move>;
  /** Moves that our last write undid before they had settled, by path. */
  readonly undid: ReadonlyMap<string, Move>;
  /** Its own pods were already rolling because of us. */
  readonly isRolling: boolean;
  /** They were, or pods were missing: a broken workload is rolled back at once. */
  readonly isUrgent: boolean;
  /** When each of ours that has settled did so, by path. */
  readonly restedAt: ReadonlyMap<string, number>;
  /** When each was last seen to change, by path. */
  readonly changedAt: ReadonlyMap<string, number>;
  /** The last change before each settled, by path. */
  readonly changedBefore: ReadonlyMap<string, number>;
  /** Workloads that lack pods, by path, and since when. */
  readonly unavailable: ReadonlyMap<string, number>;
}

function noteAvailable(unavailable: Map<string, number>, { available, path, at }: Moment): void {
  if (available === true) unavailable.delete(path);
  else if (available === false && !unavailable.has(path)) unavailable.set(path, at);
}

function noteUndid(undid: Map<string, Move>, { way, path }: Move, before: Move | undefined): void {
  if (way === "undo" && before !== undefined) undid.set(path, before);
  else undid.delete(path);
}

/**
 * Follows a cluster from move to move. A workload that was never healthy may never settle: when it was named as skipped, its
 * undo ends it.
 */
export function followMotion(evidence: Evidence, cluster: AuditedCluster): readonly Motion[] {
  const rolling = new Set<string>();
  const moved = new Map<string, Move>();
  const undid = new Map<string, Move>();
  const unavailable = new Map<string, number>();
  const givenUp = new Set(ledgerOf(evidence).runs.flatMap(({ skipped, everSkipped = skipped }) => everSkipped));
  const restedAt = new Map<string, number>();
  const changedAt = new Map<string, number>();
  const changedBefore = new Map<string, number>();
  const rest = (path: string, at: number): void => {
    if (!rolling.delete(path)) return;
    restedAt.set(path, at);
    changedBefore.set(path, changedAt.get(path) ?? at);
  };
  const restGone = (now: number): void => {
    for (const path of rolling) {
      const move = moved.get(path);
      const at = findUndone(cluster, move) ?? findHandedOver(cluster, move) ?? Number.POSITIVE_INFINITY;
      if (at <= now) rest(path, at);
    }
  };
  for (const { path, available } of cluster.before) if (available === false) unavailable.set(path, 0);
  return listMoments(evidence, cluster, givenUp).flatMap((moment) => {
    const { at, move, settled, path, mark } = moment;
    restGone(at);
    if (settled) rest(path, at);
    changedAt.set(path, at);
    if (move !== undefined) {
      const motion: Motion = {
        move,
        moved: new Map(moved),
        undid: new Map(undid),
        rolling: new Set([...rolling].filter((each) => each !== path)),
        isRolling: rolling.has(path),
        isUrgent: rolling.has(path) || unavailable.has(path),
        restedAt: new Map(restedAt),
        changedAt: new Map(changedAt),
        changedBefore: new Map(changedBefore),
        unavailable: new Map(unavailable),
      };
      noteUndid(undid, move, motion.isRolling ? moved.get(path) : undefined);
      moved.set(path, move);
      if (move.way === "undo" && givenUp.has(move.key)) rolling.delete(path);
      else rolling.add(path);
      return [motion];
    }
    if (mark === true) rolling.delete(path);
    noteAvailable(unavailable, moment);
    return [];
  });
}
