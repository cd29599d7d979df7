import { coversOneOf, findScopeKind } from "#libs/input";
import type { LedgerState, RunRecord, StopRecord } from "#libs/plan";

import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { ForwardRollback, RollbackSubject } from "./rollback-subject.ts";

function holds({ scope }: StopRecord, { buckets, campaign }: RunRecord): boolean {
  const kind = findScopeKind(scope);
  if (kind === "cluster" || kind === "namespace") return true;
  return coversOneOf(scope, { bucket: buckets, campaign: campaign === undefined ? [] : [campaign] });
}

/** Adds the stops that would hold it, where no bucket of its run is rolled back. Earlier commits are the planner's to judge. */
export function markForward(
  subject: RollbackSubject,
  ledger: LedgerState | undefined,
  listUndoable: (ledger: LedgerState, run: RunRecord) => readonly string[],
): RollbackSubject {
  const { record, revertTo } = subject;
  if (ledger === undefined || record === undefined || revertTo !== undefined) return subject;
  if (listUndoable(ledger, record).length > 0) return subject;
  const stops = Object.values(ledger.stops).filter((stop) => stop.resume === undefined && holds(stop, record));
  return { ...subject, forward: { stops } };
}

function printHold({ scope, who, why, strength }: StopRecord): string {
  return `    ${strength === "propose" ? "hold" : "pause"} on ${scope} by ${who}: ${why}`;
}

/** The text before a pull request is requested that goes forward. */
export function printForward({ stops }: ForwardRollback): readonly string[] {
  return [
    "  ! this run is a rollback: undoing it goes forward, subject to stops, windows and approvals",
    ...(stops.length === 0 ? ["  no stop holds it now"] : ["  held now by:", ...stops.map(printHold)]),
  ];
}

/** Nothing goes forward with `--now`. */
export function refuseForwardNow({ run, forward }: RollbackSubject): void {
  if (forward === undefined) return;
  const help = [
    { command: `meshroll rollback run/${run} --reason "…"` },
    "  without --now proposes it as a pull request",
  ];
  throw new Refusal(
    exitCodes.invalid,
    [`run ${run} is not rolled back at once`, ...printForward(forward)].join("\n"),
    help,
  );
}
