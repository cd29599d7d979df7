import { type LedgerDecision, type LedgerState, nameInFleet, type Snapshot } from "../records/index.ts";
import { countClasses, pendingClasses, type RunView } from "../index/index.ts";
import { changeRun } from "../transitions/index.ts";

/** One workload that still has to be moved; undefined where there is none. */
function findDue({ clusters }: RunView): string | undefined {
  for (const [cluster, classes] of clusters)
    for (const { key } of classes.list(pendingClasses)) return nameInFleet(cluster, key);
  return undefined;
}

/**
 * Restarts the bake when a workload has to move meanwhile: its exclusion ended, it was created late, or another manager
 * reverted its move. The time baked so far says nothing about it. The record goes before any batch is handed out, so that a
 * killed planner cannot lose the restart; the bake begins again when nothing is left (rules 6.2).
 */
export function restartBake(snapshot: Snapshot, ledger: LedgerState, view: RunView): LedgerDecision | undefined {
  if (view.run.bake === undefined) return undefined;
  const pending = findDue(view);
  if (pending === undefined) return undefined;
  const { bake: _, ...run } = view.run;
  const restarted = { run: run.id, workload: pending, pending: countClasses(view, pendingClasses) };
  const change = changeRun(snapshot, ledger, run, { kind: "bakeRestarted" });
  return { kind: "restartBake", change, reason: { code: "BakeRestarted", ...restarted } };
}
