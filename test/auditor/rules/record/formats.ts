import type { AuditedProcess, AuditedRaise } from "../../evidence/evidence.ts";
import { ledgerOf } from "../../reading/writes/moves.ts";
import { makeRule } from "../rule.ts";

/** It was there before the server can have seen the raise, and after it has. */
function isAlive({ from, until = Number.POSITIVE_INFINITY }: AuditedProcess, raise: AuditedRaise): boolean {
  return from <= raise.from && until >= raise.until;
}

/**
 * A newer version is written when no process is alive that does not read it: all of the ledger by one transition, and nothing before.
 */
export const raisedWhenRead = makeRule("raisedWhenRead", (evidence, found) => {
  const { formats = { raises: [], ahead: [] } } = ledgerOf(evidence);
  for (const { path, version, of } of formats.ahead)
    found.refuse("ledger", path, `written in version ${version} while the ledger was of version ${of}`);
  for (const raise of formats.raises) {
    if (evidence.processes === undefined) {
      found.leave("it was not recorded which processes were alive when the ledger was raised");
      continue;
    }
    found.judge();
    const older = evidence.processes.filter((each) => each.reads < raise.version && isAlive(each, raise));
    for (const { name, reads } of older)
      found.refuse("ledger", "heads", `raised to version ${raise.version} while ${name}, alive, read up to ${reads}`);
  }
});
