import { isEntryKnown, listRecordedStops, readClusterEntries } from "../stops/index.ts";
import { type LedgerDecision, type LedgerState, printTime, type Snapshot } from "../records/index.ts";
import { placeStop } from "../transitions/index.ts";

/**
 * So many stops of one cluster's entries stand in the ledger at once; more hold there all the same. Who can write a
 * ConfigMap must not have the planner push for ever.
 */
const mostRecorded = 20;

/**
 * An entry of a cluster's ConfigMap that the ledger never had (the bus was down, or all was wiped) is recorded, as a stop of
 * that cluster (rules 7.3).
 */
export function recordClusterStops(snapshot: Snapshot, ledger: LedgerState): LedgerDecision | undefined {
  for (const { name, facts } of snapshot.clusters.values()) {
    const count = listRecordedStops(ledger).filter(({ foundIn }) => foundIn === name).length;
    if (count >= mostRecorded) continue;
    for (const { key, ...found } of readClusterEntries(name, facts.stops.recorded, ledger.baseline.installation)
      .stops) {
      if (isEntryKnown(ledger, name, key)) continue;
      const now = printTime(snapshot.now);
      // It may be older than what was recorded since, but never younger: a clock that runs ahead must not outdo later stops.
      const at = found.at !== "" && found.at < now ? found.at : now;
      return placeStop(snapshot, ledger, { ...found, at, cause: "cluster" });
    }
  }
  return undefined;
}
