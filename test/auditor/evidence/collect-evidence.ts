import type { AuditedCluster, AuditedCommit, Evidence } from "./evidence.ts";
import { readBaseline, readLedger } from "./git/read-ledger.ts";
import { readMain, readPushes } from "./git/read-main.ts";
import type { RecordedRepository } from "./git/recorded-repository.ts";

/** Main since the baseline: earlier commits made no runs, so they are neither a target of rollbacks nor counted. */
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

/** Puts together for the auditor what all outside systems recorded. */
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
