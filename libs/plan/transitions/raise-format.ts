import { newestFormat } from "#libs/input";

import type { Decision, LedgerDecision, LedgerState, Snapshot } from "../records/index.ts";
import { reason, stamp } from "./transitions.ts";
import { findOlder } from "./older-alive.ts";

type Wait = Extract<Decision, { readonly kind: "wait" }>;

/** As many as a sentence bears. */
const mostNamed = 5;

function join(names: readonly string[]): string {
  const more = names.length > mostNamed ? [`${names.length - mostNamed} more`] : [];
  return [...names.slice(0, mostNamed), ...more].join(", ");
}

/** What the newer version waits for: nothing that moves does. */
function nameOlder(ledger: LedgerState, older: readonly string[], unknown: readonly string[]): Wait {
  const parts = [
    ...(older.length === 0 ? [] : [join(older)]),
    ...(unknown.length === 0 ? [] : [`not known: ${join(unknown)}`]),
  ];
  const message =
    `version ${newestFormat} is not written before every process alive reads it; ` +
    `all goes on in version ${ledger.format} (${parts.join("; ")})`;
  const owner = "who installs meshroll";
  return { kind: "wait", scope: "all", reason: { code: "OlderAlive", message, owner } };
}

/**
 * A ledger of the version before is written on in it until nobody is alive who reads no newer one: then one transition raises it,
 * and with it all that is on the bus. Who is not heard of is unknown, and waited for.
 */
export function raiseFormat(snapshot: Snapshot, ledger: LedgerState): LedgerDecision | undefined {
  if (ledger.format >= newestFormat) return undefined;
  const { older, unknown } = findOlder(snapshot, ledger, newestFormat);
  if (older.length > 0 || unknown.length > 0) return undefined;
  const next = { ...stamp(snapshot, ledger), format: newestFormat };
  const message =
    `the ledger is of version ${newestFormat} from now on, it was of version ${ledger.format}: ` +
    `the planners and executors of all ${snapshot.clusters.size} clusters read it`;
  return { kind: "raiseFormat", ledger: next, reason: reason("FormatRaised", message) };
}

/** Why the version is not raised yet; and after it was, who cannot read it any more. */
export function waitForOlder(snapshot: Snapshot, ledger: LedgerState): readonly Wait[] {
  const { older, unknown } = findOlder(snapshot, ledger, newestFormat);
  if (ledger.format < newestFormat)
    return older.length + unknown.length === 0 ? [] : [nameOlder(ledger, older, unknown)];
  if (older.length === 0) return [];
  const message = `${join(older)}, and the ledger is of version ${ledger.format}: nothing moves there`;
  const owner = "who installs meshroll";
  return [{ kind: "wait", scope: "all", reason: { code: "OlderAlive", message, owner } }];
}
