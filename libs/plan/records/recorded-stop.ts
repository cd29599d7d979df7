import {
  cleanLine,
  formatVersion,
  isInstallationId,
  isInstant,
  isRecordId,
  isStopScope,
  lookUp,
  readVersion,
  refuseFormat,
  type StopScope,
} from "#libs/input";

import type { StopRecord } from "./ledger-state.ts";

/**
 * A stop in the ConfigMap `meshroll-system/meshroll-recorded-stops`, key = its id: written by executors, and by the CLI where
 * the bus is down (rules 7.3, 7.4). It can only stop: writers of a cluster's ConfigMaps must not be able to roll back.
 */
export type RecordedStop = Pick<StopRecord, "id" | "scope" | "strength" | "at" | "who" | "why" | "until"> & {
  /** The installation of the stop; others ignore it. Absent = a person wrote it. */
  readonly installation?: string;
};

/** Its text in the ConfigMap. */
export function printRecordedStop({ id, scope, strength, at, who, why, until, installation }: RecordedStop): string {
  return JSON.stringify({ version: formatVersion, id, scope, strength, at, who, why, until, installation });
}

/** Longer texts are cut when they are read: a ConfigMap ends at 1 MiB, and all of it is published. */
const longestWho = 200;
const longestWhy = 500;
const longestEntry = 16 * 1024;

type Fields = Readonly<Record<string, unknown>>;

function readRecord(text: string): Fields | undefined {
  if (text.length > longestEntry) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Fields) : undefined;
  } catch {
    // A person may have written it: the caller treats an unreadable entry as a stop of the whole cluster.
    return undefined;
  }
}

type IsForm = (text: string) => boolean;
const isText: IsForm = () => true;
const isStrength: IsForm = (text) => text === "propose" || text === "move";

/** Required and optional fields of an entry. */
const needed = { id: isRecordId, scope: isStopScope, at: isInstant, who: isText, why: isText };
const optional = { strength: isStrength, until: isInstant, installation: isInstallationId };
const fields: Readonly<Record<keyof typeof needed | keyof typeof optional, IsForm>> = { ...needed, ...optional };

/** The field, where it is a text of the right form. */
function pick(record: Fields, name: keyof typeof fields): string | undefined {
  const value = lookUp(record, name);
  return typeof value === "string" && fields[name](value) ? value : undefined;
}

function readScope(record: Fields): StopScope | undefined {
  const value = pick(record, "scope");
  return value !== undefined && isStopScope(value) ? value : undefined;
}

/** The required fields; undefined when one is missing, and for an entry of another version. */
function readNeeded(record: Fields) {
  if (refuseFormat(readVersion(record)) !== undefined) return undefined;
  const [scope, id, at] = [readScope(record), pick(record, "id"), pick(record, "at")];
  const [who, why] = [pick(record, "who"), pick(record, "why")];
  if (scope === undefined || id === undefined || at === undefined) return undefined;
  if (who === undefined || why === undefined) return undefined;
  return { id, scope, at, who: cleanLine(who, longestWho), why: cleanLine(why, longestWhy) };
}

/** Fields of a rollback, which an entry may contain but which are ignored. */
const leftOutFields = ["revertTo", "now", "rollbackOf"];

export interface ReadStop {
  readonly stop: RecordedStop;
  /** Names of fields that are ignored. */
  readonly leftOut: readonly string[];
}

/** Undefined for an unreadable entry, which its reader treats as a stop of the whole cluster. */
export function readRecordedStop(text: string): ReadStop | undefined {
  const record = readRecord(text);
  const needed = record === undefined ? undefined : readNeeded(record);
  if (record === undefined || needed === undefined) return undefined;
  const strength = pick(record, "strength") === "propose" ? "propose" : "move";
  const [until, installation] = [pick(record, "until"), pick(record, "installation")];
  const stop = {
    ...needed,
    strength,
    ...(until === undefined ? {} : { until }),
    ...(installation === undefined ? {} : { installation }),
  } as const;
  return { stop, leftOut: leftOutFields.filter((name) => lookUp(record, name) !== undefined) };
}
