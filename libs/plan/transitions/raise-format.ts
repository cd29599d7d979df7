import { newestFormat } from "#libs/input";

import type { Decision, LedgerDecision, LedgerState, Snapshot } from "../records/index.ts";
import { stamp } from "./transitions.ts";
import { findOlder, type OlderAlive } from "./older-alive.ts";

type Wait = Extract<Decision, { readonly kind: "wait" }>;

function nameOlder({ format }: LedgerState, older: OlderAlive["older"], unknown: OlderAlive["unknown"]): Wait {
  return { kind: "wait", scope: "all", reason: { code: "OlderAlive", format, newest: newestFormat, older, unknown } };
}

/**
 * A ledger of the version before is written on in it until no process is alive that reads no newer one: then one transition raises it,
 * and with it all that is on the bus. Who is not heard of is unknown, and waited for.
 */
export function raiseFormat(snapshot: Snapshot, ledger: LedgerState): LedgerDecision | undefined {
  if (ledger.format >= newestFormat) return undefined;
  const { older, unknown } = findOlder(snapshot, ledger, newestFormat);
  if (older.length > 0 || unknown.length > 0) return undefined;
  const change = { ...stamp(snapshot, ledger), format: newestFormat };
  const versions = { to: newestFormat, from: ledger.format };
  return {
    kind: "raiseFormat",
    change,
    reason: { code: "FormatRaised", ...versions, clusters: snapshot.clusters.size },
  };
}

/** Why the version is not raised yet; and after it was, who cannot read it any more. */
export function waitForOlder(snapshot: Snapshot, ledger: LedgerState): readonly Wait[] {
  const { older, unknown } = findOlder(snapshot, ledger, newestFormat);
  if (ledger.format < newestFormat)
    return older.length + unknown.length === 0 ? [] : [nameOlder(ledger, older, unknown)];
  return older.length === 0 ? [] : [nameOlder(ledger, older, [])];
}
