import { isEntryKnown, listRecordedStops, readClusterEntries } from "../stops/index.ts";
import { type LedgerDecision, type LedgerState, printTime, type Snapshot } from "../records/index.ts";
import { placeStop } from "../transitions/index.ts";

/**
 * At most this many stops of one cluster's entries are in the ledger at once; the others still hold in the cluster. A login
 * that may write the ConfigMap must not cause endless pushes.
 */
const mostRecorded = 20;

/**
 * Records an entry of a cluster's ConfigMap that the ledger never had (the bus was down, or all was wiped), as a stop of that
 * cluster (rules 7.3).
 */
export function recordClusterStops(snapshot: Snapshot, ledger: LedgerState): LedgerDecision | undefined {
  for (const { name, facts } of snapshot.clusters.values()) {
    const count = listRecordedStops(ledger).filter(({ foundIn }) => foundIn === name).length;
    if (count >= mostRecorded) continue;
    for (const { key, ...found } of readClusterEntries(name, facts.stops.recorded, ledger.baseline.installation)
      .stops) {
      if (isEntryKnown(ledger, name, key)) continue;
      const now = printTime(snapshot.now);
      // The entry's time counts unless it is in the future: a clock that is ahead must not make it outlast later stops.
      const at = found.at !== "" && found.at < now ? found.at : now;
      return placeStop(snapshot, ledger, { ...found, at, cause: "cluster" });
    }
  }
  return undefined;
}
