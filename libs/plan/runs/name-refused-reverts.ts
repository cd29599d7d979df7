import type { Decision } from "../records/index.ts";
import { type ActiveStop, findRun, nameResume, refuseTarget } from "../stops/index.ts";
import type { DecisionContext } from "../index/index.ts";
import { explainUnreadCommit } from "../main/index.ts";

type Wait = Extract<Decision, { readonly kind: "wait" }>;

/** Why nothing goes back by a rollback that stands, and will not by itself; undefined while something does. */
function findRefusal({ snapshot, ledger }: DecisionContext, stop: ActiveStop, commit: string): string | undefined {
  const run = findRun(ledger, stop.scope);
  if (run === undefined) return `${stop.scope} is stopped, and not rolled back: there is no such run`;
  const stands = `run ${run.id} is stopped, and not rolled back`;
  // A rewritten main was adopted since the rollback was asked: what the run moved is nobody's run's any more.
  if (run.state === "gone") return `${stands}: its commit vanished from main`;
  const { now = false } = stop;
  const why = refuseTarget(ledger, run, { commit, to: snapshot.specs.get(commit), now });
  return why === undefined ? undefined : `${stands}: ${why}`;
}

/** Rollbacks that stand and are not carried out, whoever wrote them into the ledger: they stop their run, and take nothing back. */
export function nameRefusedReverts(context: DecisionContext): readonly Wait[] {
  return context.stops.flatMap((stop) => {
    if (stop.revertTo === undefined) return [];
    const message = findRefusal(context, stop, stop.revertTo);
    // Nobody goes back at once to files that are not at hand, nor can tell whether main says them already.
    const reason =
      message === undefined
        ? explainUnreadCommit(context.snapshot, [stop.revertTo], `the rollback of ${stop.scope}`)
        : { code: "RollbackRefused", message, owner: stop.who, command: nameResume(stop) };
    return reason === undefined ? [] : [{ kind: "wait", scope: stop.scope, reason } as const];
  });
}
