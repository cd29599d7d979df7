import { lookUp, suggestWord } from "#libs/input";
import type { Span } from "#libs/rollouts";
import { isMap, isScalar, type Node, type Scalar, type YAMLMap } from "yaml";

import { defineReader, type Field, isEmptyField, type Reader, reportField, type Schema } from "./field.ts";

function reportUnknown(field: Field, name: string, span: Span, known: readonly string[]): void {
  const home = Object.hasOwn(field.homes, name) ? lookUp(field.homes, name) : undefined;
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
    entries.push({ name, field: { ...field, node: (pair.value ?? null) as Node | null, path, key: span } });
  }
  return entries;
}

/** The entries of a mapping, without duplicates, which are reported; undefined when it is no mapping. */
export function readEntries(field: Field): readonly Entry[] | undefined {
  if (isMap(field.node)) return listEntries(field, field.node);
  return isEmptyField(field)
    ? reportField(field, "is empty", "remove it to get the built-in values, or give it fields")
    : reportField(field, "must hold fields", "write each field on a line of its own, indented");
}

/** One reader for each accepted field. */
export type FieldReaders<T> = { readonly [K in keyof T]-?: Reader<Exclude<T[K], undefined>> };

function describeFields(readers: Readonly<Record<string, Reader<unknown>>>, required: readonly string[]): Schema {
  const accepted = Object.entries(readers).filter(([, { isLater }]) => isLater !== true);
  return {
    type: "object",
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(accepted.map(([name, { schema }]) => [name, schema])),
  };
}

/** Reads a mapping by a table of readers, one per accepted field. Wrong values are reported and left out. */
export function readFields<T extends object>(
  readers: FieldReaders<T>,
  required: readonly (keyof T & string)[] = [],
): Reader<Partial<T>> {
  const table: Readonly<Record<string, Reader<unknown>>> = readers;
  const known = Object.keys(table).filter((name) => lookUp(table, name)?.isLater !== true);
  return defineReader(describeFields(table, required), (field) => {
    const entries = readEntries(field);
    if (entries === undefined) return undefined;
    const values = new Map<string, unknown>();
    for (const { name, field: child } of entries) {
      const read = lookUp(table, name);
      if (read === undefined) reportUnknown(field, name, child.key, known);
      const value = read?.(child);
      if (value !== undefined) values.set(name, value);
    }
    const written = new Set(entries.map(({ name }) => name));
    // A field that a later version's field would replace is not reported as missing.
    const isLater = [...written].some((name) => lookUp(table, name)?.isLater === true);
    for (const name of isLater ? [] : required) {
      if (!written.has(name)) reportField(field, `needs \`${name}\``, `accepted here: ${known.join(", ")}`);
    }
    return Object.fromEntries(values) as Partial<T>;
  });
}
