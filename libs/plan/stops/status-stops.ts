import { lookUp } from "#libs/input";
import { nameResume } from "#libs/wording";

import { parseTime, type Snapshot, type StopRecord } from "../records/index.ts";
import { type ActiveStop, collectStops } from "./stops.ts";

/** A stop in force: holds and pauses, from any place. */
export interface StopStatus {
  readonly id: string;
  readonly scope: string;
  /** `propose`: nothing is proposed. `move`: nothing moves either. */
  readonly strength: "propose" | "move";
  /**
   * As in the ledger; `kubectl` = the ConfigMap `meshroll-stop` exists; `unread` = the campaign's file has errors;
   * `severalCampaigns` = the run moves buckets of more than one campaign.
   */
  readonly cause: StopRecord["cause"] | "kubectl" | "unread" | "severalCampaigns";
  readonly who: string;
  readonly why: string;
  /** Where it was found first. */
  readonly from: ActiveStop["from"];
  /** ISO time at which its owner is reminded; it stays in force (rules 7.1). */
  readonly until?: string;
  readonly overdue: boolean;
  /** For a rollback's hold: the run that placed it. */
  readonly rollbackOf?: string;
  /** Found in that cluster's ConfigMap: it holds only there. */
  readonly foundIn?: string;
  /** The command that ends it. */
  readonly command: string;
}

function nameCause(snapshot: Snapshot, { id, from, campaigns }: ActiveStop): StopStatus["cause"] {
  if (from === "main") return campaigns === undefined ? "unread" : "severalCampaigns";
  if (from === "cluster") return id === "kubectl" ? "kubectl" : "cluster";
  const recorded = lookUp(snapshot.ledger?.stops, id);
  if (recorded !== undefined) return recorded.cause;
  return snapshot.requests.some((request) => request.id === id && request.verb === "rollback") ? "rollback" : "verb";
}

/** Every stop in force, with the command that ends it. */
export function describeStops(snapshot: Snapshot): readonly StopStatus[] {
  const { specs } = snapshot;
  const head = specs.get(snapshot.main.head);
  return collectStops(snapshot.ledger, snapshot.requests, snapshot.clusters.values(), head && { head, specs }).map(
    (stop) => {
      const { id, scope, strength, who, why, from, until, rollbackOf, foundIn } = stop;
      return {
        id,
        scope,
        strength,
        cause: nameCause(snapshot, stop),
        who,
        why,
        from,
        ...(until === undefined ? {} : { until }),
        overdue: until !== undefined && parseTime(until) <= snapshot.now,
        ...(rollbackOf === undefined ? {} : { rollbackOf }),
        ...(foundIn === undefined ? {} : { foundIn }),
        command: nameResume(stop),
      };
    },
  );
}
