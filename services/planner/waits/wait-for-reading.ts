import { GitUnavailable } from "#libs/git";
import type { Decision } from "#libs/plan";

import { describeFault } from "./waits.ts";

/**
 * What git refuses, or this planner cannot read of main: until it can, newer commits count for nothing. A ledger that cannot be
 * read has a name of its own, and a git that does not answer is told by how old main is.
 */
export function waitForReading(fault: unknown): readonly Decision[] {
  if (fault === undefined || fault instanceof GitUnavailable) return [];
  return [{ kind: "wait", scope: "all", reason: { code: "GitRefused", why: describeFault(fault) } }];
}
