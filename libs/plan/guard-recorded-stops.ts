import { readClusterEntries } from "./cluster-entries.ts";
import type { LedgerDecision } from "./decision.ts";
import { printTime } from "./iso-time.ts";
import type { LedgerState } from "./ledger-state.ts";
import { isEntryKnown, listRecordedStops } from "./stops.ts";
import { placeStop } from "./transitions.ts";
import type { World } from "./world.ts";

/**
 * So many stops of one cluster's entries stand in the ledger at once; more hold there all the same. Who can write a
 * ConfigMap must not have the planner push for ever.
 */
const mostRecorded = 20;

/**
 * An entry of a cluster's ConfigMap that the ledger never had (the bus was down, or all was wiped) is recorded, as a stop of
 * that cluster (rules 7.3).
 */
export function guardRecordedStops(world: World, ledger: LedgerState): LedgerDecision | undefined {
  const now = printTime(world.now);
  for (const { name, facts } of world.clusters.values()) {
    const standing = listRecordedStops(ledger).filter(({ foundIn }) => foundIn === name).length;
    if (standing >= mostRecorded) continue;
    for (const { key, ...found } of readClusterEntries(name, facts.stops.recorded, ledger.baseline.installation)
      .stops) {
      if (isEntryKnown(ledger, name, key)) continue;
      // It may be older than what was recorded since, but never younger: a clock that runs ahead must not outdo later stops.
      const at = found.at !== "" && found.at < now ? found.at : now;
      return placeStop(world, ledger, { ...found, at, cause: "cluster" });
    }
  }
  return undefined;
}
