import type { StopRecord, StopScope } from "./ledger-state.ts";
import { isStopScope } from "./stop-scope.ts";

/**
 * A stop as it stands in the ConfigMap `meshroll-system/meshroll-recorded-stops`, key = its id: written by executors, and by
 * the CLI where the bus is down (rules 7.3, 7.4).
 */
export type RecordedStop = Omit<StopRecord, "cause" | "failures" | "lift">;

/** Its text in the ConfigMap. */
export function printRecordedStop(stop: RecordedStop): string {
  const { id, scope, strength, at, who, why, until, revertTo, now, returnOf } = stop;
  return JSON.stringify({ version: 1, id, scope, strength, at, who, why, until, revertTo, now, returnOf });
}

function readRecord(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // A person may have written it: the caller takes what cannot be read for a stop of the whole cluster.
    return undefined;
  }
}

function pickTexts(record: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = record[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

function readScope(value: unknown): StopScope | undefined {
  return typeof value === "string" && isStopScope(value) ? value : undefined;
}

/** What every entry has; undefined when one of it is missing. */
function readNeeded(record: Readonly<Record<string, unknown>>) {
  const scope = readScope(record["scope"]);
  const { id, at, who, why } = pickTexts(record, ["id", "at", "who", "why"]);
  if (scope === undefined || record["version"] !== 1) return undefined;
  return id === undefined || at === undefined || who === undefined || why === undefined
    ? undefined
    : { id, scope, at, who, why };
}

/** Undefined for anything that is not ours: whoever reads it takes it for a stop of the whole cluster. */
export function readRecordedStop(text: string): RecordedStop | undefined {
  const record = readRecord(text);
  const needed = record === undefined ? undefined : readNeeded(record);
  if (record === undefined || needed === undefined) return undefined;
  const strength = record["strength"] === "propose" ? "propose" : "move";
  const extra = pickTexts(record, ["until", "revertTo", "returnOf"]);
  return { ...needed, strength, ...extra, ...(record["now"] === true ? { now: true } : {}) };
}
