import { parseRollouts, printDistributions } from "#libs/rollouts";

import { wasRolledBackFrom, listForwardBuckets, rolloutsPath } from "../../main/index.ts";
import type { LedgerState, RunRecord } from "../../records/index.ts";

/**
 * The run's buckets that its rollback sets to the older text. Those that main has rolled back further are left out, because
 * raising them again would be forward.
 */
export function listWantedBuckets(ledger: LedgerState, run: RunRecord, oldText: string | undefined): readonly string[] {
  const then = parseRollouts(oldText ?? "", rolloutsPath);
  const buckets = listForwardBuckets(run);
  if (!then.ok) return buckets;
  const had = printDistributions(then.value);
  return buckets.filter((pattern) => !wasRolledBackFrom(ledger, run, pattern, had.get(pattern) ?? ""));
}
