import type { Problem, Span } from "#libs/rollouts";
import { isMap, isScalar, type Node } from "yaml";

/** One value of the file with its path for messages, its place, and the list of findings. */
export interface Field {
  readonly node: Node | null;
  /** `defaults.batch.batchSize`; empty for the whole file. */
  readonly path: string;
  /** The place of the key, at which an absent value is reported. */
  readonly key: Span;
  readonly report: (problem: Problem) => void;
  /** Where fields of each name belong in this kind of file. */
  readonly homes: Readonly<Record<string, string>>;
}

/** A piece of JSON Schema (draft-07). */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Reads one field; undefined = it was wrong and has been reported. It has the schema of what it accepts, so that editors check
 * the same.
 */
export interface Reader<T> {
  (field: Field): T | undefined;
  readonly schema: Schema;
  /** A field of a later version: it is neither accepted nor listed as accepted. */
  readonly isLater?: true;
}

/** Makes a reader from its schema and its function. */
export function defineReader<T>(schema: Schema, read: (field: Field) => T | undefined): Reader<T> {
  return Object.assign((field: Field) => read(field), { schema });
}

/** The same reader with a description and a built-in default. */
export function annotate<T>(reader: Reader<T>, description: string, builtIn?: unknown): Reader<T> {
  const schema = { description, ...(builtIn !== undefined && { default: builtIn }), ...reader.schema };
  return defineReader(schema, reader);
}

/** The same reader with a further check of the value. */
export function refine<T, R>(reader: Reader<T>, check: (value: T, field: Field) => R | undefined): Reader<R> {
  return defineReader(reader.schema, (field) => {
    const value = reader(field);
    return value === undefined ? undefined : check(value, field);
  });
}

/** The place of the value, or of its key when there is no value. */
export function locateField(field: Field): Span {
  const range = field.node?.range;
  return range === null || range === undefined || range[1] <= range[0] ? field.key : { start: range[0], end: range[1] };
}

/** The place of a value within this mapping. */
export function locateChild(field: Field, name: string): Span {
  const node = isMap(field.node) ? field.node.get(name, true) : undefined;
  return locateField({ ...field, node: node ?? null });
}

/** Reports a wrong type or value; the message continues the field's name: `defaults.batch.batchSize must be …`. */
export function reportField(field: Field, message: string, help?: string, code = "MR3002"): undefined {
  const text = `${field.path === "" ? "the file" : `\`${field.path}\``} ${message}`;
  field.report({ code, span: locateField(field), message: text, ...(help !== undefined && { help }) });
}

/** Whether the key has no value. */
export function isEmptyField(field: Field): boolean {
  const { node } = field;
  return node === null || (isScalar(node) && node.type === "PLAIN" && (node.source ?? "") === "");
}
