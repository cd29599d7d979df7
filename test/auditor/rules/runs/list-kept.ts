import type { AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { wasOver } from "../../reading/main/was-over.ts";
import { ledgerOf, listMoves, listMovesIn, listReverts, type Move } from "../../reading/writes/moves.ts";
import { type Finder, makeRule } from "../rule.ts";

/** A later run moved the workload just before: a rollback at once undoes that too, under the name of its own run. */
function isOfLaterRun(evidence: Evidence, { cluster, identity, write, runId }: Move): boolean {
  const last = listMovesIn(evidence, cluster).findLast(
    (each) => each.identity === identity && each.write.version < write.version,
  );
  const findOrder = (id: string): number => evidence.main.findIndex(({ sha }) => id !== "" && sha.startsWith(id));
  return last !== undefined && findOrder(last.runId) > findOrder(runId);
}

/**
 * A rollback at once sets its run's buckets back under the run's name (rules 2.4). The run's list does not cover what later
 * runs moved there, nor anything after the run was over.
 */
function isRollback(evidence: Evidence, move: Move, run: AuditedRun): boolean {
  if (move.way !== "rollback") return false;
  return wasOver(run, move.at) || (listReverts(evidence, run.id).length > 0 && isOfLaterRun(evidence, move));
}

/**
 * Workloads that a run moved, with their cluster. What the run itself undid was moved, so it counts. A rollback's move counts
 * too: it has a run, and the undo of a failure has none.
 */
function listMoved(evidence: Evidence, run: AuditedRun): ReadonlyMap<string, string> {
  const own = listMoves(evidence).filter(({ runId, isWorkload }) => isWorkload && runId === run.id);
  const moves = own.filter((each) => !isRollback(evidence, each, run));
  return new Map(moves.map(({ key, cluster }) => [key, cluster.name]));
}

function judgeRun(evidence: Evidence, run: AuditedRun, list: readonly string[], found: Finder): void {
  const listed = new Set(list);
  const named = new Set(run.differences);
  const moved = listMoved(evidence, run);
  for (const [key, cluster] of moved) {
    found.judge();
    if (!listed.has(key) && !named.has(key))
      found.refuse(cluster, key, `run ${run.id}: moved though its pull request does not list it`);
  }
  for (const key of listed) {
    found.judge();
    if (!moved.has(key) && !named.has(key))
      found.refuse("", key, `run ${run.id}: listed by its pull request, not moved, and not named as a difference`);
  }
}

/** The workloads that the pull request listed were moved, or the run's end names each difference. */
export const listKept = makeRule("listKept", (evidence, found) => {
  for (const run of ledgerOf(evidence).runs) {
    if (run.state !== "done") continue;
    if (run.list === undefined) found.cannotJudge("a person's run has no list of who moves");
    else judgeRun(evidence, run, run.list, found);
  }
});
