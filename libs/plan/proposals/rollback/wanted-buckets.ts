import { parseRollouts, printDistributions } from "#libs/rollouts";

import { isCutOff, listForwardBuckets, rolloutsPath } from "../../main/index.ts";
import type { LedgerState, RunRecord } from "../../records/index.ts";

/**
 * Buckets of the run that its rollback sets back to what the older text says. Those that main rolled back further since are not among
 * them: raising them again would be forward.
 */
export function listWantedBuckets(ledger: LedgerState, run: RunRecord, oldText: string | undefined): readonly string[] {
  const then = parseRollouts(oldText ?? "", rolloutsPath);
  const buckets = listForwardBuckets(run);
  if (!then.ok) return buckets;
  const had = printDistributions(then.value);
  return buckets.filter((pattern) => !isCutOff(ledger, run, pattern, had.get(pattern) ?? ""));
}
