import type { AuditedCluster, AuditedLedger, AuditedRun, AuditedStop, Evidence } from "../../evidence/evidence.ts";
import { answerOf, bucketOf } from "../files/assignment.ts";
import { isReadable } from "../files/readable.ts";
import {
  nameObject,
  readNamespace,
  readRunAnnotation,
  readTarget,
  replaySteering,
  type SteeringWrite,
} from "./replay.ts";
import { wasAskedBefore, wasAskedBy } from "../main/past.ts";
import { type Change, listChanges } from "../main/returns.ts";

/** A write of ours that steers injection, with everything that rules ask of it. */
export interface Move extends SteeringWrite {
  readonly cluster: AuditedCluster;
  readonly at: number;
  readonly path: string;
  /** `cluster:namespace/Kind/name` */
  readonly key: string;
  readonly namespace: string;
  /** By the files of its run's commit, or of main at that time. */
  readonly bucket: string;
  /** "" where the write names no run: an undo. */
  readonly runId: string;
  readonly attempt: number;
  readonly run: AuditedRun | undefined;
  readonly target: string | undefined;
  /** An undo reverts our last write; a rollback returns to what main had before a run or a rollback. */
  readonly way: "forward" | "rollback" | "undo";
}

const none: AuditedLedger = { stops: [], runs: [] };

export function ledgerOf({ ledger }: Evidence): AuditedLedger {
  return ledger === "none" ? none : ledger;
}

/** The commit of a run, by its id: the first 12 digits. */
export function findChange(changes: readonly Change[], run: string): Change | undefined {
  return run === "" ? undefined : changes.find(({ commit }) => commit.sha.startsWith(run));
}

/** The revision that a rollback at once asks for a namespace before main says so. */
export function answerOfRevert(evidence: Evidence, { revertTo }: AuditedStop, namespace: string): string | undefined {
  const commit = evidence.main.find(({ sha }) => revertTo !== undefined && sha === revertTo);
  return commit === undefined ? undefined : answerOf(commit.rollouts, commit.settings, namespace);
}

/** The rollbacks at once of a run. */
export function listReverts(evidence: Evidence, run: string): readonly AuditedStop[] {
  const { stops } = ledgerOf(evidence);
  return stops.filter((stop) => stop.revertTo !== undefined && stop.now === true && stop.scope === `run/${run}`);
}

function findBucket(evidence: Evidence, change: Change | undefined, at: number, namespace: string): string {
  const head = evidence.main.findLast((commit) => commit.at <= at && isReadable(commit));
  const rollouts = (change?.commit ?? head)?.rollouts ?? "";
  return bucketOf(rollouts, namespace);
}

type Described = Pick<Move, "runId" | "namespace" | "bucket" | "target" | "isUndo" | "write">;

/** A rollback at once may only move a namespace to a revision that main wanted for it before and had not rolled back from. */
function isReverted(evidence: Evidence, { runId, namespace, target, write }: Described): boolean {
  if (target === undefined || !wasAskedBy(evidence, namespace, write.at, target)) return false;
  return listReverts(evidence, runId).some((stop) => answerOfRevert(evidence, stop, namespace) === target);
}

/**
 * True when the commit set back the bucket that the namespace had before or has now, and moved neither forward. One of them may
 * be new or deleted.
 */
function isSetBack({ main }: Evidence, { commit, back, forward }: Change, { namespace, bucket }: Described): boolean {
  const before = main.slice(0, main.indexOf(commit)).findLast((each) => isReadable(each));
  const buckets = [bucket, ...(before === undefined ? [] : [bucketOf(before.rollouts, namespace)])];
  return buckets.some((each) => back.has(each)) && !buckets.some((each) => forward.has(each));
}

/**
 * The run moved this namespace to a revision that main had not asked for before, and the write moves it back. A rollback at
 * once does so, also one that was lost before it was recorded. The rule `demanded` judges whether anything asked for it.
 */
function isTurnedBack(
  evidence: Evidence,
  { commit: { sha, rollouts, settings } }: Change,
  { namespace, target = "", write: { at } }: Described,
): boolean {
  const own = answerOf(rollouts, settings, namespace);
  const isRaised = own !== undefined && own !== target && !wasAskedBefore(evidence, namespace, sha, own);
  return isRaised && wasAskedBy(evidence, namespace, at, target);
}

function findWay(evidence: Evidence, change: Change | undefined, each: Described): Move["way"] {
  const { namespace, target = "", isUndo } = each;
  if (isUndo) return "undo";
  const isBack = change !== undefined && (isSetBack(evidence, change, each) || isTurnedBack(evidence, change, each));
  const isAsked = isBack && wasAskedBefore(evidence, namespace, change.commit.sha, target);
  return isAsked || isReverted(evidence, each) ? "rollback" : "forward";
}

function describe(evidence: Evidence, changes: readonly Change[], cluster: AuditedCluster, each: SteeringWrite): Move {
  const { at, path } = each.write;
  const { run: runId, attempt } = readRunAnnotation(each.write) ?? { run: "", attempt: 1 };
  const namespace = readNamespace(path);
  const change = findChange(changes, runId);
  const bucket = findBucket(evidence, change, at, namespace);
  const described = { ...each, runId, attempt, namespace, bucket, target: readTarget(each) };
  return {
    ...described,
    cluster,
    at,
    path,
    key: nameObject(cluster.name, path),
    run: ledgerOf(evidence).runs.find(({ id }) => id === runId),
    way: findWay(evidence, change, described),
  };
}

const moved = new WeakMap<Evidence, readonly Move[]>();

/** Every steering write of ours in every cluster. */
export function listMoves(evidence: Evidence): readonly Move[] {
  const changes = listChanges(evidence.main);
  const moves =
    moved.get(evidence) ??
    evidence.clusters.flatMap((cluster) =>
      replaySteering(cluster).map((each) => describe(evidence, changes, cluster, each)),
    );
  moved.set(evidence, moves);
  return moves;
}

/** The same for one cluster. */
export function listMovesIn(evidence: Evidence, cluster: AuditedCluster): readonly Move[] {
  return listMoves(evidence).filter((move) => move.cluster === cluster);
}
