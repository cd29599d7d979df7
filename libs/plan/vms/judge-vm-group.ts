import { istioKeys } from "#libs/fleet";
import { resolveTarget } from "#libs/injection";
import type { Reason } from "#libs/wording";

import { findClosed, findRevisionObstacle, findRollbackObstacle } from "../conditions/index.ts";
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

/** A run wants another revision than the group asks for: its move was undone, or is still to come. A rollback goes back too. */
function goesBack({ desired, rollbackSince, workload }: JudgedWorkload): boolean {
  return rollbackSince !== undefined || workload.template.labels[istioKeys.revision] !== desired;
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
  const held = findUnconfirmedMove(snapshot, each) ?? findStop(snapshot, each);
  if (held !== undefined) return held;
  const { facts } = snapshot.cluster;
  if (each.rollbackSince !== undefined) return findRollbackObstacle(facts, label);
  return findClosedWindow(snapshot, each) ?? findRevisionObstacle(facts, label);
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
  const { cluster, claim } = snapshot;
  if (label === undefined || claim !== "own" || !cluster.fresh) return undefined;
  const isBack = goesBack(each);
  const isUndo = isBack && each.rollbackSince === undefined;
  const hold = isUndo ? findUndoHold(snapshot, label) : findMoveHold(snapshot, each, label);
  return { revision: resolveTarget(cluster.facts, label), isBack, hold, since: findSince(each) };
}
