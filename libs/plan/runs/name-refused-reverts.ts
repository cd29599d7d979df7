import type { Reason } from "#libs/wording";

import type { Decision } from "../records/index.ts";
import { type ActiveStop, findRun, refuseTarget } from "../stops/index.ts";
import type { DecisionContext } from "../index/index.ts";
import { explainUnreadCommit } from "../main/index.ts";

type Wait = Extract<Decision, { readonly kind: "wait" }>;

/** Why a rollback in force rolls nothing back and cannot; undefined when it does. */
function findRefusal({ snapshot, ledger }: DecisionContext, stop: ActiveStop, commit: string): Reason | undefined {
  const run = findRun(ledger, stop.scope);
  if (run === undefined) return { code: "RollbackRefused", refusal: { code: "NoSuchRun", scope: stop.scope }, stop };
  // A rewritten main was adopted since the request, so the run's workloads belong to no run any more.
  const { now = false } = stop;
  const refusal =
    run.state === "gone"
      ? ({ code: "CommitVanished", run: run.id } as const)
      : refuseTarget(snapshot.main, ledger, run, { commit, to: snapshot.specs.get(commit), now });
  return refusal === undefined ? undefined : { code: "RollbackRefused", run: run.id, refusal, stop };
}

/**
 * A wait for each rollback in force that is not carried out, whatever wrote it into the ledger: it stops its run and rolls
 * nothing back.
 */
export function nameRefusedReverts(context: DecisionContext): readonly Wait[] {
  return context.stops.flatMap((stop) => {
    if (stop.revertTo === undefined) return [];
    // Without these files nothing is rolled back to them, and it is unknown whether main already says the same.
    const reason =
      findRefusal(context, stop, stop.revertTo) ??
      explainUnreadCommit(context.snapshot, [stop.revertTo], { kind: "rollback", scope: stop.scope });
    return reason === undefined ? [] : [{ kind: "wait", scope: stop.scope, reason } as const];
  });
}
