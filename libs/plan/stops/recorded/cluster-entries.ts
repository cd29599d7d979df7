import { mayConcernCluster } from "#libs/input";
import { hashSeed } from "#libs/rollouts";
import { printStopCause, type RecordedStopProblem } from "#libs/wording";

import { readRecordedStop, type RecordedStop } from "../../records/index.ts";

/** A stop by an entry of one cluster's ConfigMap: it holds in that cluster, whatever its scope. */
export interface EntryStop extends RecordedStop {
  /** The entry's key. */
  readonly key: string;
  /** The cluster. */
  readonly foundIn: string;
}

/** The stops in one cluster's ConfigMap `meshroll-recorded-stops`. */
export interface EntryReading {
  readonly stops: readonly EntryStop[];
  /** Entries and fields that are ignored, and why. */
  readonly ignored: readonly RecordedStopProblem[];
}

/** The ledger's id for an entry's stop: unique over clusters, for any key. */
export function nameEntryStop(cluster: string, key: string): string {
  const half = (seed: string) => hashSeed(`${seed} ${cluster} ${key}`).toString(16).padStart(8, "0");
  return `found-${half("a")}${half("b")}`;
}

type Read = { readonly stop: RecordedStop } | { readonly ignored: RecordedStopProblem };

/** An unreadable text stops the whole cluster, because a person may have written it in a hurry. */
function readEntry(
  cluster: string,
  key: string,
  text: string,
  own: string | undefined,
): Read & { readonly said?: RecordedStopProblem } {
  const id = nameEntryStop(cluster, key);
  const entry = { cluster, key };
  const read = readRecordedStop(text);
  if (read === undefined || read.stop.id !== key) {
    const why = printStopCause({ code: "EntryUnreadable", cluster, text });
    return { stop: { id, scope: `cluster/${cluster}`, strength: "move", at: "", who: cluster, why } };
  }
  const { leftOut } = read;
  const { installation, ...stop } = read.stop;
  if (installation !== undefined && own !== undefined && installation !== own)
    return { ignored: { code: "OtherInstallation", ...entry, installation } };
  if (!mayConcernCluster(stop.scope, cluster))
    return { ignored: { code: "OtherCluster", ...entry, scope: stop.scope } };
  if (stop.strength === "propose") return { ignored: { code: "EntryHolds", ...entry } };
  if (leftOut.length === 0) return { stop: { ...stop, id } };
  return { stop: { ...stop, id }, said: { code: "FieldsIgnored", ...entry, scope: stop.scope, fields: leftOut } };
}

function read(cluster: string, recorded: Readonly<Record<string, string>>, own: string | undefined): EntryReading {
  const stops: EntryStop[] = [];
  const ignored: RecordedStopProblem[] = [];
  for (const [key, text] of Object.entries(recorded)) {
    const entry = readEntry(cluster, key, text, own);
    if ("stop" in entry) stops.push({ ...entry.stop, key, foundIn: cluster });
    if ("ignored" in entry) ignored.push(entry.ignored);
    if (entry.said !== undefined) ignored.push(entry.said);
  }
  return { stops, ignored };
}

const readings = new WeakMap<Readonly<Record<string, string>>, Map<string, EntryReading>>();

/**
 * Reads a cluster's entries. Their writers are trusted to stop that cluster and nothing else: scope and strength apply there.
 * Entries of another installation than `own` are ignored; rollbacks, holds of proposals and other clusters are left out and
 * reported.
 */
export function readClusterEntries(
  cluster: string,
  recorded: Readonly<Record<string, string>>,
  own?: string,
): EntryReading {
  // Facts are immutable and read at every reconcile, so the result is cached with them.
  const known = readings.get(recorded) ?? new Map<string, EntryReading>();
  readings.set(recorded, known);
  const asked = `${cluster} ${own ?? ""}`;
  const reading = known.get(asked) ?? read(cluster, recorded, own);
  known.set(asked, reading);
  return reading;
}
