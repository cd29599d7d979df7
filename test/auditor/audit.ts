import type { Evidence, Violation } from "./evidence/evidence.ts";
import {
  demanded,
  digitsOnly,
  namedByLedger,
  restartedOnce,
  type Rule,
  unmanagedUntouched,
  withinBatchSize,
} from "./rules/rules.ts";
import { listKept } from "./rules/list-kept.ts";
import { returnedAreBack, returnHolds, stoppedStands } from "./rules/stops.ts";

/** Every rule the auditor knows; each is shown to fail on a planted breach. */
export const rules: Readonly<Record<string, Rule>> = {
  demanded,
  restartedOnce,
  unmanagedUntouched,
  withinBatchSize,
  namedByLedger,
  digitsOnly,
  stoppedStands,
  returnHolds,
  returnedAreBack,
  listKept,
};

/** Judges what outside systems recorded. An empty answer is the auditor's signature. */
export function audit(evidence: Evidence): readonly Violation[] {
  return Object.values(rules).flatMap((rule) => rule(evidence));
}

/** One line per breach, for people. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations.map((each) => `${each.rule}: ${each.cluster} ${each.path}: ${each.what}`).join("\n");
}
