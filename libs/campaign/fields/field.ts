import type { Problem, Span } from "#libs/rollouts";
import { isMap, isScalar, type Node } from "yaml";

/** One value of the file with its name for messages, its place, and where to complain. */
export interface Field {
  readonly node: Node | null;
  /** `defaults.batch.batchSize`; empty for the whole file. */
  readonly path: string;
  /** Where the key stands; an absent value is reported there. */
  readonly key: Span;
  readonly report: (problem: Problem) => void;
  /** Where fields of each name belong in this kind of file. */
  readonly homes: Readonly<Record<string, string>>;
}

/** A piece of JSON Schema (draft-07). */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Reads one field; undefined = it was wrong and has been reported. It carries the schema of what it accepts, so that what editors
 * check and what we read stand in one place.
 */
export interface Reader<T> {
  (field: Field): T | undefined;
  readonly schema: Schema;
  /** For a word of a later version: it is neither accepted nor named as accepted. */
  readonly isLater?: true;
}

/** A reader from its schema and what it does. */
export function defineReader<T>(schema: Schema, read: (field: Field) => T | undefined): Reader<T> {
  return Object.assign((field: Field) => read(field), { schema });
}

/** The same reader, with a text for people and the value that holds when nothing is written. */
export function annotate<T>(reader: Reader<T>, description: string, builtIn?: unknown): Reader<T> {
  const schema = { description, ...(builtIn !== undefined && { default: builtIn }), ...reader.schema };
  return defineReader(schema, reader);
}

/** The same reader, which then looks at the value once more. */
export function refine<T, R>(reader: Reader<T>, check: (value: T, field: Field) => R | undefined): Reader<R> {
  return defineReader(reader.schema, (field) => {
    const value = reader(field);
    return value === undefined ? undefined : check(value, field);
  });
}

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
