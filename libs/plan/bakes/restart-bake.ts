import type { LedgerDecision } from "../decision.ts";
import type { LedgerState } from "../ledger-state.ts";
import type { RunClass } from "../facets.ts";
import { countClasses, type RunView } from "../run-view.ts";
import { reason, stamp } from "../transitions.ts";
import { nameInFleet } from "../workload-key.ts";
import type { World } from "../world.ts";

/** What meshroll will write. What only rolls was written by its owner, or before the bake began. */
const dueClasses: readonly RunClass[] = ["due", "back", "dueLast"];

/** One workload that is still to be moved; undefined where none is. */
function findDue({ clusters }: RunView): string | undefined {
  for (const [cluster, classes] of clusters)
    for (const { key } of classes.list(dueClasses)) return nameInFleet(cluster, key);
  return undefined;
}

/**
 * A workload has to move though its run bakes: its exclusion ended, it was created late, somebody took its move back. What the
 * bake has counted says nothing about it, so the record goes, before any batch is handed out; the bake begins when nothing is
 * left again (rules 6.2). Recorded ahead of the move, it cannot be lost with a planner that is killed in between.
 */
export function restartBake(world: World, ledger: LedgerState, view: RunView): LedgerDecision | undefined {
  if (view.run.bake === undefined) return undefined;
  const due = findDue(view);
  if (due === undefined) return undefined;
  const { bake: _, ...run } = view.run;
  const count = countClasses(view, dueClasses);
  const more = count > 1 ? ` and ${count - 1} more` : "";
  const message = `run ${run.id}: its bake begins anew once ${due}${more} moved`;
  const next = { ...stamp(world, ledger), runs: { ...ledger.runs, [run.id]: run } };
  return { kind: "restartBake", run, ledger: next, reason: reason("BakeRestarted", message) };
}
