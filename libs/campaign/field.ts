import type { Problem, Span } from "#libs/spec";
import { isMap, isScalar, type Node, type Scalar, type YAMLMap } from "yaml";

import { suggestWord } from "./suggest.ts";

/** One value of the file with its name for messages, its place, and where to complain. */
export interface Field {
  readonly node: Node | null;
  /** `defaults.batch.batchSize`; empty for the whole file. */
  readonly path: string;
  /** Where the key stands; an absent value is reported there. */
  readonly key: Span;
  readonly report: (problem: Problem) => void;
}

/** Reads one field; undefined = it was wrong and has been reported. */
export type Reader<T> = (field: Field) => T | undefined;

/** Where each field belongs: a good name in the wrong place is the commonest slip. */
const homes: Readonly<Record<string, string>> = {
  selector: "namespaces",
  seed: "assignment",
  algorithm: "assignment",
  strategy: "defaults",
  batch: "defaults",
  onWorkloadFailure: "defaults",
  batchSize: "defaults.batch",
  delayBetweenBatches: "defaults.batch",
  readinessTimeout: "defaults.batch",
  maxUnavailable: "defaults.batch",
  failurePolicy: "defaults.batch",
  maxFailures: "defaults.batch",
  maxAttempts: "defaults.batch",
  approvals: "defaults",
  rollback: "defaults",
  aside: "clusters.<name>",
};

/** Where the value stands, or its key when there is no value. */
export function locateField(field: Field): Span {
  const range = field.node?.range;
  return range === null || range === undefined || range[1] <= range[0] ? field.key : { start: range[0], end: range[1] };
}

/** Where a field of this mapping has its value. */
export function locateChild(field: Field, name: string): Span {
  const node = isMap(field.node) ? field.node.get(name, true) : undefined;
  return locateField({ ...field, node: node ?? null });
}

/** Reports a wrong type or value; the message continues the field's name: `defaults.batch.batchSize must be …`. */
export function reportField(field: Field, message: string, help?: string, code = "MR3002"): undefined {
  const text = `${field.path === "" ? "the file" : `\`${field.path}\``} ${message}`;
  field.report({ code, span: locateField(field), message: text, ...(help !== undefined && { help }) });
}

/** True for `key:` with nothing behind it. */
export function isEmptyField(field: Field): boolean {
  const { node } = field;
  return node === null || (isScalar(node) && node.type === "PLAIN" && (node.source ?? "") === "");
}

function reportUnknown(field: Field, name: string, span: Span, known: readonly string[]): void {
  const home = Object.hasOwn(homes, name) ? homes[name] : undefined;
  const near = suggestWord(name, known);
  const inside = field.path === "" ? "at the top of the file" : `in \`${field.path}\``;
  const meant =
    near !== undefined ? `did you mean \`${near}\`? ` : home !== undefined ? `it belongs in \`${home}\`. ` : "";
  field.report({
    code: "MR3001",
    span,
    message: `\`${name}\` is not a field ${inside}`,
    help: `${meant}accepted here: ${known.join(", ")}`,
  });
}

interface Entry {
  readonly name: string;
  readonly field: Field;
}

function readKey(field: Field, key: unknown): { readonly name: string; readonly span: Span } | undefined {
  if (isScalar(key) && typeof key.value === "string" && key.value !== "") {
    const range = (key as Scalar).range;
    return { name: key.value, span: range ? { start: range[0], end: range[1] } : field.key };
  }
  return reportField(field, "has an entry without a name");
}

function listEntries(field: Field, map: YAMLMap): readonly Entry[] {
  const first = new Map<string, Span>();
  const entries: Entry[] = [];
  for (const pair of map.items) {
    const key = readKey(field, pair.key);
    if (key === undefined) continue;
    const { name, span } = key;
    const before = first.get(name);
    if (before !== undefined) {
      const related = [{ span: before, message: "first written here" }];
      field.report({
        code: "MR3003",
        span,
        message: `\`${name}\` is written twice`,
        related,
        help: "keep one of the two",
      });
      continue;
    }
    first.set(name, span);
    const path = field.path === "" ? name : `${field.path}.${name}`;
    entries.push({ name, field: { node: (pair.value ?? null) as Node | null, path, key: span, report: field.report } });
  }
  return entries;
}

/** The entries of a mapping, duplicates reported and left out; undefined when it is no mapping. */
export function readEntries(field: Field): readonly Entry[] | undefined {
  if (isMap(field.node)) return listEntries(field, field.node);
  return isEmptyField(field)
    ? reportField(field, "is empty", "remove it to get the built-in values, or give it fields")
    : reportField(field, "must hold fields", "write each field on a line of its own, indented");
}

/** Reads a mapping by a table of readers, one per accepted field. What is wrong is reported and left out. */
export function readFields<T extends object>(
  field: Field,
  readers: { readonly [K in keyof T]-?: Reader<T[K]> },
): Partial<T> | undefined {
  const entries = readEntries(field);
  if (entries === undefined) return undefined;
  const table: Readonly<Record<string, Reader<unknown>>> = readers;
  const values: Record<string, unknown> = {};
  for (const { name, field: child } of entries) {
    const read = Object.hasOwn(table, name) ? table[name] : undefined;
    if (read === undefined) reportUnknown(field, name, child.key, Object.keys(table));
    const value = read?.(child);
    if (value !== undefined) values[name] = value;
  }
  return values as Partial<T>;
}
