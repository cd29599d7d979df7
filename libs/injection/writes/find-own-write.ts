import { lookUp } from "#libs/input";
import {
  annotationKeys,
  istioKeys,
  type Namespace,
  parseAnnotations,
  parseRestartedFor,
  type Previous,
  type RunAnnotation,
} from "#libs/fleet";

import { type AnnotatedObject, isWorkload } from "./object-change.ts";

/** A write of ours that is not undone: which run, towards what, and what was there before. */
export interface OwnWrite {
  readonly run: RunAnnotation;
  readonly previous: Previous;
}

/**
 * A token stands when it names our target. Where our label is the restart there is none, unless the same move had to
 * restart once more.
 */
function isTokenOurs(value: string | undefined, { run, previous }: OwnWrite): boolean {
  if (value !== undefined) return parseRestartedFor(value)?.revision === run.target;
  return previous.template?.labels?.[istioKeys.revision] !== undefined;
}

/** What stood in a field before our write; null = was not there. */
function readPrevious(key: string, { template, labels }: Previous): string | null | undefined {
  return lookUp(labels, key) ?? lookUp(template?.labels, key) ?? lookUp(template?.annotations, key);
}

/** Is this field still as we wrote it, or was it written after us? */
export function isFieldOurs(key: string, value: string | undefined, write: OwnWrite): boolean {
  // What was put back is what it was once: only that it is not what we replaced can be seen.
  if (write.previous.restored === true) return (value ?? null) !== (readPrevious(key, write.previous) ?? null);
  switch (key) {
    case istioKeys.revision:
      return value === write.run.target;
    case istioKeys.injection:
      return value === undefined; // We only ever take it away.
    case annotationKeys.restartedFor:
      return isTokenOurs(value, write);
    default:
      return false;
  }
}

function listFields(object: AnnotatedObject, previous: Previous): readonly (readonly [string, string | undefined])[] {
  if (!isWorkload(object)) return Object.keys(previous.labels ?? {}).map((key) => [key, lookUp(object.labels, key)]);
  const { labels, annotations } = object.template;
  return [
    ...Object.keys(previous.template?.labels ?? {}).map((key) => [key, lookUp(labels, key)] as const),
    ...Object.keys(previous.template?.annotations ?? {}).map((key) => [key, lookUp(annotations, key)] as const),
  ];
}

/** Our last write, while `previous` is there, whether or not its fields were changed since. */
export function readLastWrite(object: AnnotatedObject): OwnWrite | undefined {
  const marks = parseAnnotations(object);
  if (marks.kind === "unreadable" || marks.run === undefined || marks.previous === undefined) return undefined;
  return { run: marks.run, previous: marks.previous };
}

/** Fields of our last write that another manager has changed since. */
export function listForeignFields(object: AnnotatedObject, write: OwnWrite): readonly string[] {
  return listFields(object, write.previous)
    .filter(([key, value]) => !isFieldOurs(key, value, write))
    .map(([key]) => key);
}

/** Our last write, if all of it still stands: what head must demand, or else it is reverted (rules 4.4). */
export function findOwnWrite(object: AnnotatedObject): OwnWrite | undefined {
  const write = readLastWrite(object);
  return write === undefined || listForeignFields(object, write).length > 0 ? undefined : write;
}

/** The namespace's label was changed by us for this revision, and still is: it was begun. */
export function isRelabelledFor(namespace: Namespace, target: string): boolean {
  return findOwnWrite(namespace)?.run.target === target;
}
