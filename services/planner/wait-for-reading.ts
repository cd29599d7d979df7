import { GitUnavailable } from "#libs/git";
import { LedgerUnreadable } from "#libs/ledger";
import type { Decision } from "#libs/plan";

import { describeFault } from "./pull-requests/waits.ts";

/**
 * What git sent and this planner cannot read, such as a ledger that was edited by hand: until it can, newer commits of main and
 * of the ledger count for nothing. A git that does not answer is told by how old main is.
 */
export function waitForReading(fault: unknown): readonly Decision[] {
  if (fault === undefined || fault instanceof GitUnavailable) return [];
  const what = fault instanceof LedgerUnreadable ? "branch meshroll/ledger" : "main or branch meshroll/ledger";
  const why = describeFault(fault);
  return [
    {
      kind: "wait",
      scope: "all",
      reason: {
        code: "LedgerUnreadable",
        message: `${what} cannot be read, so nothing newer counts, and after ten minutes nothing moves: ${why}`,
        owner: "the owners of the rollouts repository",
        command: "git fetch origin meshroll/ledger && git log -p FETCH_HEAD",
      },
    },
  ];
}
