import type { AuditedCluster, AuditedCommit, Evidence } from "./evidence.ts";
import { readBaseline, readLedger } from "./git/read-ledger.ts";
import { readMain, readPushes } from "./git/read-main.ts";
import type { RecordedRepository } from "./git/recorded-repository.ts";

/** Main since the baseline: what it asked before, it asked without us, and is neither rolled back to nor counted. */
function readHistory(repository: RecordedRepository): readonly AuditedCommit[] {
  const main = readMain(repository);
  const baseline = readBaseline(repository);
  return main.slice(
    Math.max(
      0,
      main.findIndex(({ sha }) => sha === baseline),
    ),
  );
}

/** All that outside systems recorded, put together for the auditor. */
export function collectEvidence(
  repository: RecordedRepository,
  clusters: readonly AuditedCluster[],
  graceMs = 0,
): Evidence {
  return {
    main: readHistory(repository),
    pushes: readPushes(repository),
    clusters,
    ledger: readLedger(repository),
    graceMs,
  };
}
