import { lookUp } from "#libs/input";
import { sailKeys } from "./annotations.ts";
import { parseWait } from "./parse-wait.ts";

/** The owner's annotations of the Sail proposal, on a workload or on its namespace. */
export interface SailAnnotations {
  /** The key that has the value `true`: it is not moved. */
  readonly skipMigration?: string;
  /** Ms, more than 0; replaces the value of the settings. */
  readonly readinessTimeout?: number;
  /** Lower ones move first; absent = 0. */
  readonly migrationBatch?: number;
  /** A value cannot be read, or the two keys contradict each other: no guess is made. */
  readonly malformed?: { readonly key: string; readonly why: string };
}

type Annotations = Readonly<Record<string, string>>;
type Outcome<T> = { readonly value?: { readonly key: string; readonly value: T } } | { readonly why: string };

function parseFlag(text: string): boolean | undefined {
  return text === "true" ? true : text === "false" ? false : undefined;
}

/** At most six digits, so that no precision is lost. */
const integer = /^(?:0|-?[1-9]\d{0,5})$/;

function parseInteger(text: string): number | undefined {
  return integer.test(text) ? Number(text) : undefined;
}

/** A timeout of 0 would fail every workload at once. */
function parseTimeout(text: string): number | undefined {
  const ms = parseWait(text);
  return ms === 0 ? undefined : ms;
}

/** One setting under its two keys, which must agree where both are there. */
function readOne<T>(
  annotations: Annotations,
  keys: readonly [string, string],
  parse: (text: string) => T | undefined,
  form: string,
): Outcome<T> & { readonly key: string } {
  let found: { readonly key: string; readonly value: T } | undefined;
  for (const key of keys) {
    const text = lookUp(annotations, key);
    if (text === undefined) continue;
    const value = parse(text);
    if (value === undefined) return { key, why: `it is not ${form}` };
    if (found !== undefined && found.value !== value) return { key, why: `${found.key} says something else` };
    found ??= { key, value };
  }
  return found === undefined ? { key: keys[0] } : { key: found.key, value: found };
}

const nothing: SailAnnotations = {};

function hasAny(annotations: Annotations): boolean {
  return Object.values(sailKeys).some((keys) => keys.some((key) => key in annotations));
}

/** Reads them under both prefixes. Never throws: an unreadable one is named, and the others are read. */
export function readSailAnnotations(annotations: Annotations): SailAnnotations {
  // Asked for every workload at every reconcile, and hardly any has one.
  if (!hasAny(annotations)) return nothing;
  const skip = readOne(annotations, sailKeys.skipMigration, parseFlag, "`true` or `false`");
  const timeout = readOne(
    annotations,
    sailKeys.readinessTimeout,
    parseTimeout,
    "a duration of more than nothing, such as `10m` or `1h30m`",
  );
  const batch = readOne(annotations, sailKeys.migrationBatch, parseInteger, "a whole number, such as `3`");
  const [malformed] = [skip, timeout, batch].flatMap((each) =>
    "why" in each ? [{ key: each.key, why: each.why }] : [],
  );
  return {
    ...("value" in skip && skip.value?.value === true ? { skipMigration: skip.value.key } : {}),
    ...("value" in timeout && timeout.value !== undefined ? { readinessTimeout: timeout.value.value } : {}),
    ...("value" in batch && batch.value !== undefined ? { migrationBatch: batch.value.value } : {}),
    ...(malformed === undefined ? {} : { malformed }),
  };
}
