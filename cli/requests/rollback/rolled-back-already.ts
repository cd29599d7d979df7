import { type LedgerState, type RunRecord, type StopRecord, wasRolledBack } from "#libs/plan";

import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { Sentence } from "../../terminal/sentence.ts";
import { printTime } from "../../text/print-time.ts";
import { nameCommand } from "../find-resumed.ts";
import type { RollbackSubject } from "./rollback-subject.ts";

/** The newest run that took back what this one changed; undefined while something of it is still there. */
function findRollbackRun(record: RunRecord, all: readonly RunRecord[]): RunRecord | undefined {
  const present = all.filter(({ state }) => state !== "gone");
  if (!wasRolledBack(record, present)) return undefined;
  const patterns = record.changes.map(({ pattern }) => pattern);
  const takesBack = ({ order, changes }: RunRecord): boolean =>
    order > record.order &&
    changes.some(({ pattern, direction }) => direction === "rollback" && patterns.includes(pattern));
  return present.filter(takesBack).toSorted((a, b) => b.order - a.order)[0];
}

function describeHold(hold: StopRecord): readonly Sentence[] {
  return [`its hold ${hold.id} on ${hold.scope} is in force; this ends it:`, [{ command: nameCommand(hold) }]];
}

function refuse(record: RunRecord, by: RunRecord, { stops }: LedgerState): Refusal {
  const holds = Object.values(stops).filter(
    ({ rollbackOf, resume }) => resume === undefined && (rollbackOf === record.id || rollbackOf === by.id),
  );
  const isOpen = by.state === "open";
  const time = printTime(Date.parse(by.endedAt ?? by.startedAt));
  const when = isOpen ? `since ${time}, and this is in progress` : `at ${time}`;
  return new Refusal(
    exitCodes.invalid,
    `run ${record.id} was rolled back already, by run ${by.id} (${by.author}) ${when}: there is nothing to undo`,
    ...(holds.length === 0 ? ["no hold of it is in force"] : holds.flatMap(describeHold)),
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
    const by = record === undefined || revertTo !== undefined ? undefined : findRollbackRun(record, all);
    return { subject, record, by };
  });
  const left = judged.filter(({ by }) => by === undefined).map(({ subject }) => subject);
  const [first] = judged;
  if (left.length === 0 && first?.record !== undefined && first.by !== undefined)
    throw refuse(first.record, first.by, ledger);
  return left;
}
