import { coversOneOf } from "#libs/input";
import { nameResume } from "#libs/wording";

import { type ActiveStop, collectFleetStops, holdsByRollback } from "../../stops/index.ts";
import type { Snapshot } from "../../records/index.ts";
import type { FileChange } from "./judge-change.ts";
import { code, escapeCell } from "./pull-request-facts.ts";

/** Names of the campaigns whose run its merge would start; removing a campaign with it frees nothing of its hold. */
function listConcerned({ before, after, forward }: FileChange): readonly string[] {
  const sets = [...before.campaigns.values(), ...after.campaigns.values()].filter(({ stages }) =>
    stages.some(({ set }) => Object.keys(set).some((pattern) => forward.has(pattern))),
  );
  return sets.map(({ name }) => name);
}

/** Stops under which the forward part of a change must not be merged (rules 2.2, 7.1, 10.1). A rollback is held by none of them. */
export function listHolding(change: FileChange, snapshot: Snapshot): readonly ActiveStop[] {
  if (change.forward.size === 0) return [];
  const names = { campaign: listConcerned(change), bucket: [...change.forward] };
  return collectFleetStops(snapshot, snapshot.specs.get(snapshot.main.head)).filter(
    (stop) => coversOneOf(stop.scope, names) || holdsByRollback(stop, snapshot.ledger, change.forward),
  );
}

/** One stop as a line of Markdown: what holds, who placed it and why, and how it is ended. */
export function describeHolding(stop: ActiveStop): string {
  const word = stop.strength === "propose" ? "hold" : "pause";
  const source = stop.rollbackOf === undefined ? word : `hold of the rollback ${code(stop.rollbackOf)}`;
  const until = stop.until === undefined ? "" : `, until ${stop.until}`;
  return (
    `- ${source} on ${code(stop.scope)} by **${escapeCell(stop.who)}**${until}: ${escapeCell(stop.why)}  \n` +
    `  end it with \`${nameResume(stop)}\``
  );
}
