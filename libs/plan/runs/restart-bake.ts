import { type LedgerDecision, type LedgerState, nameInFleet, type Snapshot } from "../records/index.ts";
import { countClasses, type RunClass, type RunView } from "../index/index.ts";
import { changeRun } from "../transitions/index.ts";

/** Workloads that meshroll will write to. Those that only roll were written by their owner, or before the bake began. */
const pendingClasses: readonly RunClass[] = ["pending", "rollback", "pendingLast"];

/** One workload that still has to be moved; undefined where there is none. */
function findDue({ clusters }: RunView): string | undefined {
  for (const [cluster, classes] of clusters)
    for (const { key } of classes.list(pendingClasses)) return nameInFleet(cluster, key);
  return undefined;
}

/**
 * A workload has to move though its run bakes: its exclusion ended, it was created late, another manager reverted its move. What the
 * bake has counted says nothing about it, so the record goes, before any batch is handed out; the bake begins when nothing is
 * left again (rules 6.2). Recorded ahead of the move, it cannot be lost with a planner that is killed in between.
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
