import { lookUp } from "#libs/input";
import { describeRolledBack, findRollbackOf, type LedgerState, type RunRecord, type StopRecord } from "#libs/plan";

import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { Sentence } from "../../terminal/sentence.ts";
import { printTime } from "../../text/print-time.ts";
import { nameCommand } from "../find-resumed.ts";
import type { RollbackSubject } from "./rollback-subject.ts";

function describeHold(hold: StopRecord): readonly Sentence[] {
  return [`its hold ${hold.id} on ${hold.scope} is active; this ends it:`, [{ command: nameCommand(hold) }]];
}

function listHolds(record: RunRecord, by: RunRecord, ledger: LedgerState): readonly StopRecord[] {
  const { holds } = describeRolledBack(ledger, record, by.id);
  return Object.values(ledger.stops).filter(
    ({ scope, cause, resume }) => resume === undefined && cause === "rolledBack" && holds.includes(scope),
  );
}

/** What a person can do for the change of a run that was rolled back. */
function tellWayOn(record: RunRecord, by: RunRecord, ledger: LedgerState): readonly Sentence[] {
  const { stage, next } = describeRolledBack(ledger, record, by.id);
  if (next !== undefined)
    return [`its stage came again as run ${next}:`, [{ command: `meshroll retry run/${next} --reason "…"` }]];
  const holds = listHolds(record, by, ledger);
  const again = stage === undefined ? "its change has to be merged again" : `its stage ${stage} is proposed again`;
  if (holds.length === 0) return [`${again}: no hold of it is active`];
  const what = holds.length === 1 ? "the hold" : "the holds";
  return [`${again}, once a person ends ${what}`, ...holds.flatMap(describeHold)];
}

/** A retry of a run that was rolled back: nothing of it is left to try. */
export function refuseRetryOf(run: string, ledger: LedgerState): void {
  const record = lookUp(ledger.runs, run);
  const id = record === undefined ? undefined : findRollbackOf(record, Object.values(ledger.runs));
  const by = id === undefined ? undefined : lookUp(ledger.runs, id);
  if (record === undefined || by === undefined) return;
  throw new Refusal(
    exitCodes.invalid,
    `nothing to retry: run ${run} was rolled back by run ${by.id}`,
    ...tellWayOn(record, by, ledger),
  );
}

function refuse(record: RunRecord, by: RunRecord, ledger: LedgerState): Refusal {
  const holds = listHolds(record, by, ledger);
  const isOpen = by.state === "open";
  const time = printTime(Date.parse(by.endedAt ?? by.startedAt));
  const when = isOpen ? `since ${time}, and this is in progress` : `at ${time}`;
  return new Refusal(
    exitCodes.invalid,
    `run ${record.id} was rolled back already, by run ${by.id} (${by.author}) ${when}: there is nothing to undo`,
    ...(holds.length === 0 ? ["no hold of it is active"] : holds.flatMap(describeHold)),
    ...(isOpen ? ["see how it goes:", [{ command: "meshroll status -w" }]] : []),
  );
}

/**
 * Without the runs that were rolled back before; refuses where none is left. A run that is to go back further than to the
 * commit before it still can.
 */
export function dropRolledBack(
  subjects: readonly RollbackSubject[],
  ledger: LedgerState | undefined,
): readonly RollbackSubject[] {
  if (ledger === undefined) return subjects;
  const all = Object.values(ledger.runs);
  const judged = subjects.map((subject) => {
    const { record, revertTo } = subject;
    const id = record === undefined || revertTo !== undefined ? undefined : findRollbackOf(record, all);
    return { subject, record, by: id === undefined ? undefined : lookUp(ledger.runs, id) };
  });
  const left = judged.filter(({ by }) => by === undefined).map(({ subject }) => subject);
  const [first] = judged;
  if (left.length === 0 && first?.record !== undefined && first.by !== undefined)
    throw refuse(first.record, first.by, ledger);
  return left;
}
