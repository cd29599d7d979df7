import { cleanLine, lookUp } from "#libs/input";
import type { Gate } from "#libs/campaign";

import type { GateTally } from "../records/index.ts";
import type { GateContext } from "./reading.ts";

/** The length of a query in a record. */
const mostOfQuery = 4000;

/** The query or limit in a tally. */
export function nameBasis(gate: Gate): string {
  if (gate.kind === "prometheus") return cleanLine(gate.query, mostOfQuery);
  return gate.kind === "proxySync" ? String(gate.minSyncedRatio) : gate.kind;
}

/** The gate's tally in the ledger, where it was counted by the same query or limit. */
export function findTally(gate: Gate, { ledger, view }: Pick<GateContext, "ledger" | "view">): GateTally | undefined {
  const run = lookUp(ledger.runs, view.run.id) ?? view.run;
  const tally = lookUp(run.measured, gate.name);
  return tally?.by === nameBasis(gate) ? tally : undefined;
}
