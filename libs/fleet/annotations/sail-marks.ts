import { lookUp } from "#libs/input";
import { sailKeys } from "./annotations.ts";
import { parseWait } from "./parse-wait.ts";

/** What an owner says in the words of the Sail proposal, on a workload or on its whole namespace. */
export interface SailAnnotations {
  /** The key that says `true`: stay away. */
  readonly skipMigration?: string;
  /** Ms, more than 0: instead of what the settings say. */
  readonly readinessTimeout?: number;
  /** Lower ones move first; absent = 0. */
  readonly migrationBatch?: number;
  /** One of them cannot be read, or says two things: there is no guess which was meant. */
  readonly malformed?: { readonly key: string; readonly why: string };
}

type Annotations = Readonly<Record<string, string>>;
type Outcome<T> = { readonly value?: { readonly key: string; readonly value: T } } | { readonly why: string };

function parseFlag(text: string): boolean | undefined {
  return text === "true" ? true : text === "false" ? false : undefined;
}

/** So far from any real number that the two cannot be confused. */
const integer = /^(?:0|-?[1-9]\d{0,5})$/;

function parseInteger(text: string): number | undefined {
  return integer.test(text) ? Number(text) : undefined;
}

/** A wait of nothing would fail every workload at once. */
function parseTimeout(text: string): number | undefined {
  const ms = parseWait(text);
  return ms === 0 ? undefined : ms;
}

/** One thing under its two keys; both at once must agree. */
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

/** Reads them under both prefixes. Never throws: what cannot be read is named, and the rest is read all the same. */
export function readSailAnnotations(annotations: Annotations): SailAnnotations {
  // Checked for every workload at every reconcile; hardly one has it.
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
