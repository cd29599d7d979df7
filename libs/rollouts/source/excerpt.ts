import { hideControls, openSource, readLine, type Source } from "./source.ts";
import type { Finding } from "./types.ts";

interface Mark {
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly sign: "^" | "-";
  readonly text: string;
}

/** Longer lines are shown around the mark only. */
const MAX_WIDTH = 110;

/**
 * One finding for people, in the form of rustc: the message, the place, the source lines, underlined, note and help.
 * `text` is the file's text. No trailing line break.
 *
 * @internal
 */
export function renderFinding(finding: Finding, text: string): string {
  return renderIn(openSource(text, finding.file), finding);
}

/** All findings of one file, a blank line between them; indexes the text once. */
export function renderFindings(findings: readonly Finding[], text: string): string {
  const source = openSource(text, findings[0]?.file ?? "");
  return findings.map((finding) => renderIn(source, finding)).join("\n\n");
}

function renderIn(source: Source, finding: Finding): string {
  const marks = collectMarks(finding);
  const gutter = Math.max(2, String(marks.at(-1)?.line ?? 1).length);
  const margin = " ".repeat(gutter);
  const head = [
    `${finding.severity}[${finding.code}]: ${finding.message}`,
    `${margin}--> ${finding.file}:${finding.line}:${finding.column}`,
  ];
  const excerpt = source.text === "" ? [] : [`${margin} |`, ...renderLines(source, marks, gutter)];
  const tail = [
    ...(finding.note === undefined ? [] : [`${margin} = note: ${finding.note}`]),
    ...(finding.help === undefined ? [] : [`${margin} = help: ${finding.help}`]),
  ];
  return [...head, ...excerpt, ...tail].join("\n");
}

/** `2 errors, 1 warning`; `no findings` for an empty list. */
export function countSummary(findings: readonly Finding[]): string {
  const counts = (["error", "warning", "note"] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? "" : "s"}`];
  });
  return counts.length === 0 ? "no findings" : counts.join(", ");
}

function collectMarks(finding: Finding): readonly Mark[] {
  const { line, column, length = 1, label = "" } = finding;
  const others = (finding.related ?? []).map((place): Mark => {
    return { line: place.line, column: place.column, length: place.length ?? 1, sign: "-", text: place.message };
  });
  const main: Mark = { line, column, length, sign: "^", text: label };
  return [...others, main].toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function renderLines(source: Source, marks: readonly Mark[], gutter: number): readonly string[] {
  let shown = 0;
  return marks.flatMap((mark) => {
    const line = readLine(source, mark.line);
    const skip = countSkipped(line, mark);
    const number = `${String(mark.line).padStart(gutter)} | ${cutLine(line, skip)}`.trimEnd();
    const isContext = mark.sign === "-" && mark.text === "";
    const under = isContext ? [] : [`${" ".repeat(gutter)} | ${underline(mark, skip)}`.trimEnd()];
    // Several marks on one line share it, unless they show different parts of a long line.
    const rows = mark.line === shown && skip === 0 ? under : [number, ...under];
    shown = mark.line;
    return rows;
  });
}

function underline(mark: Mark, skip: number): string {
  const before = mark.column - 1 - skip + (skip > 0 ? 1 : 0);
  const length = Math.min(mark.length, MAX_WIDTH - before);
  return `${" ".repeat(before)}${mark.sign.repeat(Math.max(1, length))} ${hideControls(mark.text)}`;
}

/** How many characters in front are left out so that the mark is seen. */
function countSkipped(line: string, mark: Mark): number {
  return line.length <= MAX_WIDTH || mark.column + mark.length < MAX_WIDTH ? 0 : Math.max(0, mark.column - 21);
}

function cutLine(line: string, skip: number): string {
  const rest = hideControls(line.slice(skip, skip + MAX_WIDTH));
  return `${skip > 0 ? "…" : ""}${rest}${line.length > skip + MAX_WIDTH ? "…" : ""}`;
}
