import { cleanLine, mayConcernCluster } from "#libs/input";
import { hashSeed } from "#libs/rollouts";

import { readRecordedStop, type RecordedStop } from "../../records/index.ts";

/** A stop that an entry of one cluster's ConfigMap places: it holds in that cluster, whatever its scope. */
export interface EntryStop extends RecordedStop {
  /** The entry's key. */
  readonly key: string;
  /** The cluster. */
  readonly foundIn: string;
}

/** What the entries of one cluster's ConfigMap `meshroll-recorded-stops` come to. */
export interface EntryReading {
  readonly stops: readonly EntryStop[];
  /** What of them is not taken, and why: one sentence each, for people. */
  readonly ignored: readonly string[];
}

/** The id under which the ledger keeps the stop of an entry: keys of two clusters never meet, and any text has one. */
export function nameEntryStop(cluster: string, key: string): string {
  const half = (seed: string) => hashSeed(`${seed} ${cluster} ${key}`).toString(16).padStart(8, "0");
  return `found-${half("a")}${half("b")}`;
}

function nameEntry(cluster: string, key: string): string {
  return `entry ${cleanLine(key, 80)} of ConfigMap meshroll-recorded-stops in ${cluster}`;
}

type Read = { readonly stop: RecordedStop } | { readonly ignored: string };

/** Text that is not ours stops the whole cluster: a person may have written it, in a hurry. */
function readEntry(
  cluster: string,
  key: string,
  text: string,
  own: string | undefined,
): Read & { readonly said?: string } {
  const id = nameEntryStop(cluster, key);
  const name = nameEntry(cluster, key);
  const read = readRecordedStop(text);
  if (read === undefined || read.stop.id !== key) {
    const why = `found in meshroll-system/meshroll-recorded-stops of ${cluster}, unreadable: ${cleanLine(text, 200)}`;
    return { stop: { id, scope: `cluster/${cluster}`, strength: "move", at: "", who: cluster, why } };
  }
  const { leftOut } = read;
  const { installation, ...stop } = read.stop;
  if (installation !== undefined && own !== undefined && installation !== own)
    return { ignored: `${name} is ignored: installation ${installation} left it, and this is another` };
  if (!mayConcernCluster(stop.scope, cluster))
    return { ignored: `${name} is ignored: it names ${stop.scope}, and stops its own cluster only` };
  if (stop.strength === "propose")
    return { ignored: `${name} is ignored: a hold is placed by meshroll hold, a ConfigMap only stops its cluster` };
  if (leftOut.length === 0) return { stop: { ...stop, id } };
  const said = `${name} stops ${stop.scope} there; its ${leftOut.join(" and ")} are ignored, for only a verb rolls back`;
  return { stop: { ...stop, id }, said };
}

function read(cluster: string, recorded: Readonly<Record<string, string>>, own: string | undefined): EntryReading {
  const stops: EntryStop[] = [];
  const ignored: string[] = [];
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
 * Reads a cluster's entries. Who can write them is trusted with stopping that cluster, and with nothing else: scope and
 * strength count there. What another installation than `own` left does not count; what would be rolled back, hold proposals or reach
 * another cluster is left out, and told.
 */
export function readClusterEntries(
  cluster: string,
  recorded: Readonly<Record<string, string>>,
  own?: string,
): EntryReading {
  // Facts are immutable, and this is asked at every reconcile: what was read is remembered with them.
  const known = readings.get(recorded) ?? new Map<string, EntryReading>();
  readings.set(recorded, known);
  const asked = `${cluster} ${own ?? ""}`;
  const reading = known.get(asked) ?? read(cluster, recorded, own);
  known.set(asked, reading);
  return reading;
}
