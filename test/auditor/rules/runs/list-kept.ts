import type { AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { ledgerOf, listMoves, type Move } from "../../reading/writes/moves.ts";
import { type Finder, makeRule } from "../rule.ts";

/** A rollback at once of a run that was over takes later runs back with it, under its own name: its list says nothing of that. */
function isRollback({ way, at }: Move, { endedAt }: AuditedRun): boolean {
  return way === "rollback" && endedAt !== undefined && at > endedAt;
}

/**
 * Workloads that a run moved, with their cluster: what it put back itself counts too, it had moved it. So does a rollback's
 * move, which takes back exactly what was written before: it has a run, and the undo of a failure has none.
 */
function listMoved(evidence: Evidence, run: AuditedRun): ReadonlyMap<string, string> {
  const own = listMoves(evidence).filter(({ runId, isWorkload }) => isWorkload && runId === run.id);
  const moves = own.filter((each) => !isRollback(each, run));
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

/** The list of the pull request is what was executed, or the run's end names each difference. */
export const listKept = makeRule("listKept", (evidence, found) => {
  for (const run of ledgerOf(evidence).runs) {
    if (run.state !== "done") continue;
    if (run.list === undefined) found.leave("a person's run has no list of who moves");
    else judgeRun(evidence, run, run.list, found);
  }
});
