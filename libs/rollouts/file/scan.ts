import { findLineEnd, type Problem, type Source } from "../source/source.ts";
import { isBlank, readToken, type Token } from "./scan-token.ts";
import { refuseOrder } from "./scan-order.ts";
import { refuseToken } from "./scan-refusals.ts";

/** @internal Two levels are the format; more than this many are an attack on the parser's stack. */
export const MAX_DEPTH = 20;
/** @internal Room for 15,000 buckets with four lines each. */
export const MAX_LINES = 100_000;
/** @internal A line is a bucket, a share or a comment. The parser's work on one line may grow faster than its length. */
export const MAX_COLUMNS = 2048;
const MAX_LISTED = 100;

interface Scan {
  readonly source: Source;
  readonly problems: Problem[];
  /** Columns of the open block levels. */
  readonly indents: number[];
  /** Offsets of the open braces, innermost last. */
  readonly braces: number[];
  /** The line has had its `: ` outside braces; a second one would nest. */
  hasColon: boolean;
  /** A line other than comments has been seen: from now on `---` begins a second document. */
  begun: boolean;
  /** The first and the latest token of the file, comments left out. */
  first: Token | undefined;
  last: Token | undefined;
}

/**
 * Looks at a text before the yaml library does: everything that makes that library slow, recurse or abort, and everything that our
 * edits could not keep byte for byte, is refused here in one linear pass. No findings = the library may read it.
 */
export function scanStructure(source: Source): readonly Problem[] {
  const lines = source.lineStarts.length;
  if (lines > MAX_LINES) return [refuse("MR1015", 0, 1, `the file has ${lines} lines; ${MAX_LINES} is the most`)];
  const scan: Scan = {
    source,
    problems: [],
    indents: [],
    braces: [],
    hasColon: false,
    begun: false,
    first: undefined,
    last: undefined,
  };
  for (const start of source.lineStarts) {
    scanLine(scan, start, findLineEnd(source.text, start));
    if (scan.problems.length >= MAX_LISTED || isTooDeep(scan)) break;
  }
  return scan.problems;
}

function scanLine(scan: Scan, start: number, end: number): void {
  const { text } = scan.source;
  const at = skipBlanks(text, start, end);
  if (end - start > MAX_COLUMNS) scan.problems.push(refuseColumns(start, end));
  else if (at < end && !isComment(text, at)) scanContent(scan, start, at, end);
}

function isComment(text: string, at: number): boolean {
  return text.charAt(at) === "#" && isBlank(text.charAt(at - 1));
}

function scanContent(scan: Scan, start: number, at: number, end: number): void {
  const { text } = scan.source;
  // Also behind blanks: inside braces the library takes such a line for a marker too.
  const marker = readMarker(text, at, end);
  const isHead = marker === "---" && !scan.begun && at === start;
  if (marker !== undefined && !isHead) {
    scan.problems.push(refuseMarker(marker, at));
    return;
  }
  const misplaced = isHead ? undefined : refuseIndent(scan, start, at);
  scan.begun = true;
  scan.hasColon = false;
  enterLevel(scan, at - start);
  if (misplaced === undefined) scanTokens(scan, isHead ? skipBlanks(text, at + 3, end) : at, end);
  else scan.problems.push(misplaced);
}

/**
 * MR1001 for a line that YAML would join to plain text before it: there quotes are no quotes, and what they seem to hide is not
 * hidden. Also for tabs, which YAML does not count as indentation and people cannot see.
 */
function refuseIndent(scan: Scan, start: number, at: number): Problem | undefined {
  if (scan.braces.length > 0) return undefined;
  const tab = scan.source.text.slice(start, at).indexOf("\t");
  if (tab !== -1) return { ...refuseLine(start + tab, "a tab is used as indentation"), help: "indent with blanks" };
  if (scan.last?.kind !== "plain") return undefined;
  const column = at - start;
  const above = scan.indents.at(-1) ?? 0;
  if (column === above && !scan.hasColon) return refuseLine(at, "the line above has no `:`");
  if (column > above || !scan.indents.includes(column)) return refuseLine(at, "indented unlike the lines above");
  return undefined;
}

function scanTokens(scan: Scan, from: number, end: number): void {
  const { text } = scan.source;
  // Inside braces a line break separates nothing.
  let previous = scan.braces.length > 0 ? scan.last : undefined;
  let at = from;
  while (at < end) {
    const token = readToken(text, at, end, scan.braces.length > 0);
    if (token.kind === "comment") return;
    const context = { previous, last: scan.last, braces: scan.braces, isFlowFile: scan.first?.kind === "open" };
    const refused = refuseToken(text, token) ?? refuseOrder(text, token, context) ?? enterToken(scan, token);
    if (refused !== undefined) {
      // One finding per line: behind a refused token the rest of the line would only repeat it.
      scan.problems.push(refused);
      return;
    }
    previous = token;
    at = skipBlanks(text, token.end, end);
  }
}

/** Counts the levels that a token opens or closes; a finding when they are too many. */
function enterToken(scan: Scan, token: Token): Problem | undefined {
  scan.first ??= token;
  scan.last = token;
  if (token.kind === "open") scan.braces.push(token.start);
  else if (token.kind === "close") scan.braces.pop();
  else if (token.kind === "colon" && scan.braces.length === 0) return enterColon(scan, token);
  return isTooDeep(scan) ? refuseDepth(token.start) : undefined;
}

function enterColon(scan: Scan, token: Token): Problem | undefined {
  const isSecond = scan.hasColon;
  scan.hasColon = true;
  if (!isSecond) return undefined;
  const help = "write one `revision: percentage` per line; a name that contains `: ` needs quotes";
  return { ...refuseLine(token.start, "a second `: ` on this line"), help };
}

/** Also inside braces: the library leaves a brace that was never closed by itself once the indentation falls back. */
function enterLevel(scan: Scan, column: number): void {
  while ((scan.indents.at(-1) ?? -1) >= column) scan.indents.pop();
  scan.indents.push(column);
}

function isTooDeep(scan: Scan): boolean {
  return scan.indents.length + scan.braces.length > MAX_DEPTH;
}

function readMarker(text: string, start: number, end: number): "---" | "..." | "%" | undefined {
  if (text.charAt(start) === "%") return "%";
  const head = text.slice(start, start + 3);
  const alone = start + 3 >= end || isBlank(text.charAt(start + 3));
  return alone && (head === "---" || head === "...") ? head : undefined;
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charAt(at))) at++;
  return at;
}

function refuseMarker(marker: string, start: number): Problem {
  const message = marker === "%" ? "a YAML directive is not allowed" : `\`${marker}\`: one document per file`;
  const help = "delete this line; `rollouts.yml` is one map of buckets";
  return { code: "MR1013", span: { start, end: start + marker.length }, message, help };
}

function refuseDepth(at: number): Problem {
  return {
    ...refuse("MR1015", at, at + 1, `nested more than ${MAX_DEPTH} levels deep`),
    help: "a bucket holds revisions, a revision holds a number: two levels",
  };
}

function refuseColumns(start: number, end: number): Problem {
  return refuse("MR1015", start, start + 1, `the line has ${end - start} columns; ${MAX_COLUMNS} is the most`);
}

function refuseLine(at: number, message: string): Problem {
  const help =
    "start every bucket in column 1, end it with `:`, and indent all its revisions by the same number of blanks";
  return { code: "MR1001", span: { start: at, end: at + 1 }, message, help };
}

function refuse(code: string, start: number, end: number, message: string): Problem {
  return { code, span: { start, end }, message, help: "split it up, or remove what is no longer needed" };
}
