import { indexLines, type Lines, locateOffset } from "#libs/input";

import type { Finding } from "./types.ts";

/** A stretch of the source in UTF-16 offsets, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A file's text with its line starts. */
export interface Source {
  readonly text: string;
  readonly file: string;
  readonly lineStarts: Lines;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A finding that still speaks in offsets. Severity is `error` when absent. */
export interface Problem {
  readonly code: string;
  readonly severity?: Finding["severity"];
  readonly span: Span;
  readonly message: string;
  readonly help?: string;
  readonly note?: string;
  readonly label?: string;
  readonly related?: readonly { readonly span: Span; readonly message: string }[];
}

/** A text with its lines indexed. */
export function openSource(text: string, file: string): Source {
  return { text, file, lineStarts: indexLines(text) };
}

/** Line and column (from 1, UTF-16 units) of an offset; an offset before the first line counts as its start. */
export function locate(source: Source, offset: number): Place {
  return locateOffset(source.lineStarts, offset);
}

/** The offset just behind the last character of the line that holds `offset`, before its line ending. */
export function findLineEnd(text: string, offset: number): number {
  const newline = text.indexOf("\n", offset);
  if (newline === -1) return text.length;
  return newline > offset && text[newline - 1] === "\r" ? newline - 1 : newline;
}

/** The text of a line (from 1) without its ending; empty for a line that does not exist. */
export function readLine(source: Source, line: number): string {
  const start = source.lineStarts[line - 1];
  return start === undefined ? "" : source.text.slice(start, findLineEnd(source.text, start));
}

/** Turns offsets into lines, columns and lengths; an underline never leaves its first line. */
export function toFinding(source: Source, problem: Problem): Finding {
  const { span, related, severity, code, ...words } = problem;
  return {
    code,
    severity: severity ?? "error",
    file: source.file,
    ...measure(source, span),
    ...words,
    ...(related && { related: related.map((one) => ({ ...measure(source, one.span), message: one.message })) }),
  };
}

function measure(source: Source, span: Span): Place & { readonly length: number } {
  const end = Math.min(span.end, findLineEnd(source.text, span.start));
  return { ...locate(source, span.start), length: Math.max(1, end - span.start) };
}

/** Quotes a piece of the file for a message: one line, never long, and nothing that a terminal would obey. */
export function quoteText(text: string): string {
  const line = hideControls(text.slice(0, 200).replaceAll(/\s+/gu, " "));
  return `\`${line.length > 60 ? `${line.slice(0, 59)}…` : line}\``;
}

/** Replaces each control or reordering character by one visible one, so that columns stay where they are. */
export function hideControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  return text.replaceAll(/[\0-\x1F\x7F-\x9F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, "\u00B7");
}
