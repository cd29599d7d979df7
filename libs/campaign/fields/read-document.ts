import { type Finding, type Problem, type Source, toFinding } from "#libs/rollouts";

import { type Field, isEmptyField, type Reader } from "./field.ts";
import type { FileKind } from "../document/file-kind.ts";
import { mostListed, openDocument } from "./open-document.ts";

/** A file that was read: its valid values, and where to report the others. */
export interface ReadDocument<T> {
  readonly source: Source;
  readonly read: Partial<T>;
  readonly findings: readonly Finding[];
  readonly report: (problem: Problem) => void;
}

export type DocumentOutcome<T> =
  | { readonly ok: true; readonly document: ReadDocument<T> }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Reads a file of one kind. Some files may be empty or contain comments only. */
export function readDocument<T>(
  text: string | Uint8Array,
  file: string,
  kind: FileKind,
  reader: Reader<Partial<T>>,
): DocumentOutcome<T> {
  const opened = openDocument(text, file, kind);
  if (!opened.ok) return opened;
  const { source } = opened;
  const findings: Finding[] = [];
  const report = (problem: Problem): void => {
    if (findings.length < mostListed) findings.push(toFinding(source, problem));
  };
  const root: Field = { node: opened.root, path: "", key: { start: 0, end: 1 }, report, homes: kind.homes };
  const read = kind.mayBeEmpty && isEmptyField(root) ? {} : reader(root);
  if (read === undefined) return { ok: false, findings };
  return { ok: true, document: { source, read, findings, report } };
}

/** Whether a finding is an error: then the file is not used. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}
