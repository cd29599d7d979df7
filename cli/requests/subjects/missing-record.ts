import { findNamed, lookUp, suggestWord } from "#libs/input";
import type { LedgerState } from "#libs/plan";

import { describeUnknown, type UnknownName } from "../../names/unknown-name.ts";
import type { OpenStop, ResumeSubject } from "../find-resumed.ts";

/** The stop with the nearest name; those in force are listed anyway. */
function suggestStop(id: string, known: readonly OpenStop[]): UnknownName["help"] {
  const near = suggestWord(
    id,
    known.map((each) => each.id),
  );
  return near === undefined ? [] : [`did you mean ${near}?`];
}

/** Why there is no such stop or run; undefined where the ledger has it, or where that is unknown. */
export function findMissingRecord(
  subject: ResumeSubject,
  ledger: LedgerState | undefined,
  known: readonly OpenStop[],
): UnknownName | undefined {
  if ("id" in subject) {
    const { id } = subject;
    const help = suggestStop(id, known);
    if (ledger === undefined) return { message: `no stop ${id} is active`, help };
    return lookUp(ledger.stops, id) === undefined ? { message: `no stop ${id} was ever recorded`, help } : undefined;
  }
  const run = findNamed("run", subject.scope) ?? "";
  if (ledger === undefined || lookUp(ledger.runs, run) !== undefined) return undefined;
  return describeUnknown("run", run, Object.keys(ledger.runs), "no run is recorded yet");
}
