import { istioKeys, readAnnotations } from "#libs/fleet";
import { resolveTarget } from "#libs/injection";
import type { Reason } from "#libs/wording";

import { findClosed, findRevisionObstacle, findRollbackObstacle, isOtherCluster } from "../conditions/index.ts";
import { describeSubject, type ExecutorSnapshot, findUnconfirmed, isItemRolledBackNow } from "../moves/index.ts";
import { coversSubject, nameStop } from "../stops/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";

/** What one group's VMs may do now, by the objects and by what holds its workload. */
export interface VmGroupVerdict {
  /** What the group's VMs have to run. */
  readonly revision: string;
  readonly isBack: boolean;
  readonly hold: Reason | undefined;
  /** Since when it asks for the revision, epoch ms by its API server's clock; undefined = unknown. */
  readonly since: number | undefined;
}

type Way = "forward" | "rollback" | "undo" | "undemanded";

/** Our undo put the label back: the annotation of the run is history, and nothing of its write is in place. */
function isUndone({ workload }: JudgedWorkload): boolean {
  const marks = readAnnotations(workload);
  return marks?.run !== undefined && marks.previous === undefined && marks.runByHand !== true;
}

/**
 * Where the group's label leads. A label that main does not want, and that no undo of ours put there, is no order to upgrade VMs: main has
 * moved on, or its owner wrote it.
 */
function findWay(each: JudgedWorkload, label: string): Way {
  if (label !== each.desired) return isUndone(each) ? "undo" : "undemanded";
  return each.rollbackSince === undefined ? "forward" : "rollback";
}

/** Its owner, a failure or a merged exclusion keeps it where it is: that holds its VMs too. */
function findStateHold({ state, key }: JudgedWorkload): Reason | undefined {
  const isKept = state.kind === "skipped" || state.kind === "unmanaged";
  return isKept ? { code: "NotPending", workload: key, state: state.kind } : undefined;
}

/** A window or freeze holds the next VM of a group as it holds the next workload; with `finishStage` what has begun is finished. */
function findClosedWindow({ head, now }: ExecutorSnapshot, { run }: JudgedWorkload): Reason | undefined {
  const closed = head === undefined ? undefined : findClosed(head, run, now);
  if (closed === undefined || closed.atEnd === "finishStage") return undefined;
  return { code: closed.cause.kind === "freeze" ? "Frozen" : "WindowClosed", cause: closed.cause };
}

/**
 * Why an undo waits: as of a workload's pods, which restart with the undo whatever is held, only for the cluster's own stop and for a
 * revision that nothing serves.
 */
function findUndoHold({ stops, cluster }: ExecutorSnapshot, label: string): Reason | undefined {
  const stop = stops.find(({ id }) => id === "kubectl");
  return stop === undefined ? findRollbackObstacle(cluster.facts, label) : nameStop(stop);
}

/** Without a confirmation by git, only what a `rollback --now` moves back goes on. */
function findUnconfirmedMove(snapshot: ExecutorSnapshot, { run, rollbackSince }: JudgedWorkload): Reason | undefined {
  if (run !== undefined && isItemRolledBackNow(snapshot, { run: run.id }, rollbackSince)) return undefined;
  const unconfirmed = findUnconfirmed(snapshot);
  return unconfirmed === undefined || unconfirmed.kind === "go" ? undefined : unconfirmed.reason;
}

function findStop({ stops }: ExecutorSnapshot, each: JudgedWorkload): Reason | undefined {
  const subject = describeSubject(each, each.run?.id ?? "");
  const stop = stops.find((candidate) => coversSubject(candidate, subject));
  return stop === undefined ? undefined : nameStop(stop);
}

/** Why a move, forward or a rollback, may tag no VM now. */
function findMoveHold(snapshot: ExecutorSnapshot, each: JudgedWorkload, label: string): Reason | undefined {
  if (snapshot.control === "stale") return { code: "ControlUnknown" };
  const held = findUnconfirmedMove(snapshot, each) ?? findStop(snapshot, each) ?? findStateHold(each);
  if (held !== undefined) return held;
  const { facts } = snapshot.cluster;
  if (each.rollbackSince !== undefined) return findRollbackObstacle(facts, label);
  return findClosedWindow(snapshot, each) ?? findRevisionObstacle(facts, label);
}

function findHold(snapshot: ExecutorSnapshot, each: JudgedWorkload, label: string, way: Way): Reason | undefined {
  switch (way) {
    case "undo":
      return findUndoHold(snapshot, label);
    case "undemanded":
      return { code: "NotDemanded", namespace: each.workload.namespace, desired: each.desired, target: label };
    case "forward":
    case "rollback":
      return findMoveHold(snapshot, each, label);
  }
}

function findSince({ workload: { times } }: JudgedWorkload): number | undefined {
  const known = [times?.written, times?.deployed].filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/**
 * Judges one group by what this executor itself knows: the same stops, windows and obstacles as for a workload's move. Undefined while the
 * cluster is not fresh or another installation's, and for a group whose object asks for no revision: then no tag is written.
 */
export function judgeVmGroup(snapshot: ExecutorSnapshot, each: JudgedWorkload): VmGroupVerdict | undefined {
  const label = each.workload.template.labels[istioKeys.revision];
  const { cluster, claim, ledger } = snapshot;
  const isOurs = claim === "own" && cluster.fresh && !isOtherCluster(cluster.facts, ledger);
  if (label === undefined || !isOurs) return undefined;
  const way = findWay(each, label);
  const hold = findHold(snapshot, each, label, way);
  return { revision: resolveTarget(cluster.facts, label), isBack: way !== "forward", hold, since: findSince(each) };
}
