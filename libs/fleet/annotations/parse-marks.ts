import { isObject } from "#libs/input";

import { parseCause } from "../causes/failure-cause.ts";
import { istioKeys, annotationKeys } from "./annotations.ts";
import type { MarkManagers } from "../facts.ts";
import type {
  FailureAnnotation,
  HandMark,
  Marks,
  Previous,
  PreviousFields,
  ReadAnnotations,
  RunAnnotation,
} from "./marks.ts";
import { parseRestartedFor, isRevisionName } from "./restarted-for.ts";
import { readSailAnnotations } from "./sail-marks.ts";

const runForm = /^(?<run>[0-9a-f]{12}) (?<target>\S+)(?<unhealthy> UnhealthyBefore)?(?: #(?<attempt>[1-9]\d{0,5}))?$/;
const failedForm =
  /^(?<revision>\S+) (?<reason>[A-Z][A-Za-z0-9]*) (?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)(?: (?<rest>.+))?$/;
const staysForm = /^(?<code>[A-Z][A-Za-z0-9]*) (?<before>\S+)$/;

/** Keys that meshroll changes. Tenants can edit `previous`, so it must not make meshroll write any other key. */
const ownLabels: ReadonlySet<string> = new Set([istioKeys.revision, istioKeys.injection]);
const ownTemplateLabels: ReadonlySet<string> = new Set([istioKeys.revision]);
const ownTemplateAnnotations: ReadonlySet<string> = new Set([annotationKeys.restartedFor]);

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

function fail(why: string): { readonly ok: false; readonly why: string } {
  return { ok: false, why };
}

function parseRun(text: string): Outcome<RunAnnotation> {
  const groups = runForm.exec(text)?.groups;
  const { run, target } = groups ?? {};
  if (groups === undefined || run === undefined || target === undefined || !isRevisionName(target)) {
    return fail("it is not `<run, 12 hex digits> <revision>[ UnhealthyBefore][ #n]`");
  }
  const unhealthyBefore = groups["unhealthy"] !== undefined;
  return { ok: true, value: { run, target, unhealthyBefore, attempt: Number(groups["attempt"] ?? "1") } };
}

function parseStays(text: string): Outcome<NonNullable<FailureAnnotation["notPutBack"]>> {
  const { code, before } = staysForm.exec(text)?.groups ?? {};
  if (code === undefined || before === undefined || !isRevisionName(before)) {
    return fail("what follows its time is not `<Code> <revision of before>`");
  }
  return { ok: true, value: { code, revision: before } };
}

/** What follows the time: two words of why it was not put back, and the JSON of its cause; each may be missing. */
function splitRest(rest: string): { readonly stays?: string; readonly cause?: string } {
  const at = rest.indexOf("{");
  const stays = at < 0 ? rest : rest.slice(0, at).trimEnd();
  return { ...(stays === "" ? {} : { stays }), ...(at < 0 ? {} : { cause: rest.slice(at) }) };
}

function parseFailed(text: string): Outcome<FailureAnnotation> {
  const { revision, reason, at, rest = "" } = failedForm.exec(text)?.groups ?? {};
  if (revision === undefined || reason === undefined || at === undefined || !isRevisionName(revision)) {
    return fail("it is not `<revision> <Reason> <ISO time in UTC>`");
  }
  const { stays, cause } = splitRest(rest);
  const notPutBack = parseOptional(stays, parseStays);
  if (!notPutBack.ok) return notPutBack;
  const why = given("cause", cause === undefined ? undefined : parseCause(cause));
  return { ok: true, value: { revision, reason, at, ...given("notPutBack", notPutBack.value), ...why } };
}

function hasOnly(value: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

/** A label value, or the form of `restarted-for`; null = the key was absent. */
function isFieldValue(key: string, value: unknown): value is string | null {
  if (value === null) return true;
  if (typeof value !== "string") return false;
  return key === annotationKeys.restartedFor
    ? parseRestartedFor(value) !== undefined
    : value === "" || isRevisionName(value);
}

function parseFields(value: unknown, allowed: ReadonlySet<string>): Outcome<PreviousFields | undefined> {
  if (value === undefined) return { ok: true, value: undefined };
  if (!isObject(value)) return fail("a group of fields is not an object");
  const fields = new Map<string, string | null>();
  for (const [key, field] of Object.entries(value)) {
    if (!allowed.has(key)) return fail(`it names ${JSON.stringify(key)}, which meshroll never changes there`);
    if (!isFieldValue(key, field)) return fail(`its value of ${key} is not one that can have stood there`);
    fields.set(key, field);
  }
  return { ok: true, value: Object.fromEntries(fields) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not reported as an error: a person may have edited the text, and the caller names the annotation.
  }
}

function parseTemplate(value: unknown): Outcome<Previous["template"]> {
  if (value === undefined) return { ok: true, value: undefined };
  if (!isObject(value) || !hasOnly(value, ["labels", "annotations"])) {
    return fail("its template has more than labels and annotations");
  }
  const labels = parseFields(value["labels"], ownTemplateLabels);
  if (!labels.ok) return labels;
  const annotations = parseFields(value["annotations"], ownTemplateAnnotations);
  if (!annotations.ok) return annotations;
  return { ok: true, value: { ...given("labels", labels.value), ...given("annotations", annotations.value) } };
}

function parsePrevious(text: string): Outcome<Previous> {
  const json = parseJson(text);
  if (!isObject(json) || !hasOnly(json, ["template", "labels", "restored"])) {
    return fail("it is not a JSON object of `template` and `labels`");
  }
  const restored = json["restored"];
  if (restored !== undefined && restored !== true) return fail("its `restored` is not `true`");
  const template = parseTemplate(json["template"]);
  if (!template.ok) return template;
  const labels = parseFields(json["labels"], ownLabels);
  if (!labels.ok) return labels;
  const fields = { ...given("template", template.value), ...given("labels", labels.value) };
  return { ok: true, value: { ...fields, ...given("restored", restored) } };
}

function parsePin(text: string): Outcome<string> {
  return isRevisionName(text) ? { ok: true, value: text } : fail("it is not the name of a revision");
}

/** `false`, or why. */
function parseReason(text: string): Outcome<string | false> {
  if (text === "false") return { ok: true, value: false };
  return /^(?:true)?\s*$/u.test(text) ? fail("it gives no reason") : { ok: true, value: text };
}

/** The key only where it has a value: with `exactOptionalPropertyTypes` absent and undefined differ. */
function given<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: V });
}

function parseOptional<T>(text: string | undefined, parse: (text: string) => Outcome<T>): Outcome<T | undefined> {
  return text === undefined ? { ok: true, value: undefined } : parse(text);
}

const parsed = new WeakMap<Readonly<Record<string, string>>, Marks>();

const nothing: Marks = { kind: "read", sail: {} };

function isEmpty(annotations: Readonly<Record<string, string>>): boolean {
  for (const _ in annotations) return false;
  return true;
}

/** The part of an object that shows its annotations and who wrote them. */
interface MarkedObject {
  readonly annotations: Readonly<Record<string, string>>;
  readonly marksBy?: MarkManagers;
}

/**
 * Reads our annotations of a workload or a namespace. Never throws: an unreadable one is named. Facts are immutable, so the
 * result is cached by the object of annotations: executors ask at every reconcile.
 */
export function parseAnnotations({ annotations, marksBy }: MarkedObject): Marks {
  // Most of a fleet has no annotation that we read, and needs no entry in the cache.
  if (isEmpty(annotations)) return nothing;
  const marks = parseText(annotations);
  return marks.kind === "unreadable" || marksBy === undefined ? marks : setApart(marks, marksBy);
}

/** Separates annotations that another field manager wrote: they count for their own object only. No other code judges that. */
function setApart({ failed, arrived, ...rest }: ReadAnnotations, marksBy: MarkManagers): ReadAnnotations {
  const runBy = marksBy[annotationKeys.run];
  const failedBy = marksBy[annotationKeys.failed] ?? runBy;
  const arrivedBy = marksBy[annotationKeys.arrived];
  const byHand =
    findHand(annotationKeys.failed, failed?.revision, failedBy) ??
    findHand(annotationKeys.arrived, arrived && rest.run?.target, arrivedBy);
  return {
    ...rest,
    ...given("failed", keepOurs(failed, failedBy)),
    ...given("arrived", keepOurs(arrived, arrivedBy)),
    ...(runBy === undefined ? {} : { runByHand: true }),
    ...given("byHand", byHand),
  };
}

function keepOurs<T>(mark: T | undefined, by: string | undefined): T | undefined {
  return by === undefined ? mark : undefined;
}

function findHand(key: string, revision: string | undefined, by: string | undefined): HandMark | undefined {
  return revision === undefined || by === undefined ? undefined : { key, revision, by };
}

/**
 * Whether an annotation of any field manager says that the move to the revision failed: then only a person's `retry` moves it
 * there.
 */
export function hasFailureAnnotation({ failed, byHand }: ReadAnnotations, revision: string): boolean {
  return failed?.revision === revision || (byHand?.key === annotationKeys.failed && byHand.revision === revision);
}

function parseText(annotations: Readonly<Record<string, string>>): Marks {
  const known = parsed.get(annotations);
  if (known !== undefined) return known;
  const marks = parseEachKey(annotations);
  parsed.set(annotations, marks);
  return marks;
}

/** Counts for the last write only, not for an earlier try. */
function readArrival(annotations: Readonly<Record<string, string>>): { readonly arrived?: true } {
  return annotations[annotationKeys.arrived] === annotations[annotationKeys.run] ? { arrived: true } : {};
}

function parseEachKey(annotations: Readonly<Record<string, string>>): Marks {
  const previous = parseOptional(annotations[annotationKeys.previous], parsePrevious);
  if (!previous.ok) return { kind: "unreadable", key: annotationKeys.previous, why: previous.why };
  const failed = parseOptional(annotations[annotationKeys.failed], parseFailed);
  if (!failed.ok) return { kind: "unreadable", key: annotationKeys.failed, why: failed.why };
  const run = parseOptional(annotations[annotationKeys.run], parseRun);
  if (!run.ok) return { kind: "unreadable", key: annotationKeys.run, why: run.why };
  const pin = parseOptional(annotations[annotationKeys.pin], parsePin);
  if (!pin.ok) return { kind: "unreadable", key: annotationKeys.pin, why: pin.why };
  if (previous.value !== undefined && run.value === undefined) {
    return { kind: "unreadable", key: annotationKeys.previous, why: `there is no ${annotationKeys.run} next to it` };
  }
  const ignoreBudget = parseOptional(annotations[annotationKeys.ignoreBudget], parseReason);
  if (!ignoreBudget.ok) return { kind: "unreadable", key: annotationKeys.ignoreBudget, why: ignoreBudget.why };
  const optOut = annotations[annotationKeys.optOut];
  return {
    kind: "read",
    ...given("previous", previous.value),
    ...given("failed", failed.value),
    ...given("run", run.value),
    ...given("pin", pin.value),
    ...given("optOut", optOut === "false" ? undefined : optOut),
    ...(previous.value === undefined ? {} : readArrival(annotations)),
    ...given("ignoreBudget", ignoreBudget.value),
    ...given("mutatedAt", annotations[annotationKeys.mutatedAt]),
    sail: readSailAnnotations(annotations),
  };
}
