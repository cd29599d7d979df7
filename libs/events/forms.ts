import {
  cleanLine,
  isCommitId,
  isInstallationId,
  isInstant,
  isLabelName,
  isRecordId,
  isRequestId,
  isRunId,
  isStopId,
  isStopScope,
  formatVersion,
  readVersion,
  refuseFormat,
  type StopScope,
} from "#libs/input";
import { z } from "zod";

/** Why a text of the bus cannot be read, where another version wrote it; undefined for other texts. */
export function findOtherVersion(text: string): string | undefined {
  try {
    const version = readVersion(JSON.parse(text));
    return typeof version === "number" ? refuseFormat(version) : undefined;
  } catch {
    // No JSON, so not written by meshroll.
    return undefined;
  }
}

/**
 * Forms of fields in messages, records and keys. Malformed identifiers are refused; text for people is cleaned and cut, because
 * no decision depends on it.
 */
export const recordId = identify(isRecordId, "1 to 80 letters, digits, - or _");
/** The id of a request. */
export const requestId = identify(isRequestId, "a verb, a - and small letters or digits, as stop-1a2b3c4d");
/** The id of a recorded stop. */
export const stopId = identify(isStopId, "1 to 80 letters, digits, - or _, no computed stop");
export const runId = identify(isRunId, "12 hex digits");
export const commitId = identify(isCommitId, "a whole commit id");
export const installationId = identify(isInstallationId, "a small letter and 11 of a-z and 0-9");
export const labelName = identify(isLabelName, "a name of small letters, digits and -, at most 63");
export const instant = identify(isInstant, "a time as 2026-11-19T12:00:00Z");
const scopes = "a scope: all, cluster/NAME, campaign/NAME, run/ID, bucket/PATTERN or namespace/NAME";
export const stopScope = z.custom<StopScope>(
  (value) => typeof value === "string" && isStopScope(value),
  `must be ${scopes}`,
);

function identify(isForm: (text: string) => boolean, what: string): z.ZodString {
  return z.string().refine(isForm, `must be ${what}`);
}

/** Text for people. */
export function line(most: number): z.ZodType<string> {
  return z.string().transform((text) => cleanLine(text, most));
}

/**
 * A name given by others: printable, without blanks, at most that long. It is only compared, never used in a path or a query.
 */
export function word(most: number): z.ZodType<string> {
  return z
    .string()
    .max(most)
    .regex(/^[\u0021-\u007E]+$/u, "must be printable and without blanks");
}

/** What a value of a key without a version says; undefined for anything that has not this form, as a torn or foreign value. */
export function matchJson<T>(form: z.ZodType<T>, text: string): T | undefined {
  try {
    return form.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON. What was read before stays.
    return undefined;
  }
}

/** The version of every message; `readJson` checks it before the schema. */
export const ownVersion = z.literal(formatVersion);

export type FormRead<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** Reads a JSON text by its schema, after its version. Never throws: `why` is a sentence of at most 300 characters. */
export function readJson<T>(schema: z.ZodType<T>, text: string, mostCharacters: number): FormRead<T> {
  if (text.length > mostCharacters)
    return { ok: false, why: `it has ${text.length} characters; ${mostCharacters} is the most` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A torn write or another program's text; the parser's message would quote it.
    return { ok: false, why: "it is not JSON" };
  }
  const refusal = refuseFormat(readVersion(value));
  if (refusal !== undefined) return { ok: false, why: refusal };
  const read = schema.safeParse(value);
  if (read.success) return { ok: true, value: read.data };
  const [issue] = read.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  return { ok: false, why: cleanLine(`it is not of our form: ${issue?.message ?? "unreadable"}${at}`) };
}
