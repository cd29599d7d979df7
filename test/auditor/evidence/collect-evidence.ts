import type { AuditedCluster, Evidence } from "./evidence.ts";
import { readLedger } from "./read-ledger.ts";
import { readMain, readPushes } from "./read-main.ts";
import type { RecordedRepository } from "./recorded-repository.ts";

/** All that outside systems recorded, put together for the auditor. */
export function collectEvidence(
  repository: RecordedRepository,
  clusters: readonly AuditedCluster[],
  graceMs = 0,
): Evidence {
  return {
    main: readMain(repository),
    pushes: readPushes(repository),
    clusters,
    ledger: readLedger(repository),
    graceMs,
  };
}
