import { coversOneOf } from "#libs/input";

import { type ActiveStop, collectFleetStops, holdsByRollback } from "../../stops/index.ts";
import type { Snapshot } from "../../records/index.ts";
import type { FileChange } from "./judge-change.ts";

/** Campaigns whose run its merge would start; their holds also apply when the pull request removes them. */
function listStartedCampaigns({ before, after, forward }: FileChange): readonly string[] {
  const sets = [...before.campaigns.values(), ...after.campaigns.values()].filter(({ stages }) =>
    stages.some(({ set }) => Object.keys(set).some((pattern) => forward.has(pattern))),
  );
  return sets.map(({ name }) => name);
}

/** Stops under which the forward part of a change must not be merged (rules 2.2, 7.1, 10.1). A rollback is not held. */
export function listHolding(change: FileChange, snapshot: Snapshot): readonly ActiveStop[] {
  if (change.forward.size === 0) return [];
  const names = { campaign: listStartedCampaigns(change), bucket: [...change.forward] };
  return collectFleetStops(snapshot, snapshot.specs.get(snapshot.main.head)).filter(
    (stop) => coversOneOf(stop.scope, names) || holdsByRollback(stop, snapshot.ledger, change.forward),
  );
}
