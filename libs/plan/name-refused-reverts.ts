import type { Decision } from "./decision.ts";
import { nameLift } from "./name-lift.ts";
import { refuseTarget } from "./reverts.ts";
import type { Scene } from "./scene.ts";
import { findRun } from "./stops.ts";

type Wait = Extract<Decision, { readonly kind: "wait" }>;

/** Rollbacks that stand in the ledger and are not carried out, whoever wrote them there: they stop, and take nothing back. */
export function nameRefusedReverts({ world, ledger, stops }: Scene): readonly Wait[] {
  return stops.flatMap((stop) => {
    const run = findRun(ledger, stop.scope);
    if (stop.revertTo === undefined || run === undefined || run.state === "gone") return [];
    const { revertTo: commit, now = false } = stop;
    const why = refuseTarget(ledger, run, { commit, to: world.specs.get(commit), now });
    if (why === undefined) return [];
    const message = `run ${run.id} is stopped, and not taken back: ${why}`;
    return [
      {
        kind: "wait",
        scope: stop.scope,
        reason: { code: "RollbackRefused", message, owner: stop.who, command: nameLift(stop) },
      } as const,
    ];
  });
}
