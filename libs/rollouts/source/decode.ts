import { openSource, toFinding, type Problem, type Source } from "./source.ts";
import type { Finding } from "./types.ts";

/** @internal The largest file that is read at all, in bytes. */
export const MAX_BYTES = 1024 * 1024;

/** At most so many bad characters are listed: a binary file would otherwise give a finding per byte. */
const MAX_LISTED = 20;

/**
 * NUL and other controls are not YAML. The rest makes two readers disagree about the same bytes: line ends that only YAML 1.1
 * knows (NEL, LS, PS, a lone CR), marks that reorder or hide text from the reviewer of a pull request, and U+FFFD, which stands in
 * decoded text where bytes are not UTF-8.
 */
const REFUSED =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFFFD\uFFFE\uFFFF\p{Surrogate}]|\r(?!\n)|(?!^)\uFEFF/gu;

export type Decoded =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Bytes or text -> source, or MR1015 (too large) and MR1017 (not plain UTF-8 text). Linear; nothing is parsed yet. */
export function decodeSource(text: string | Uint8Array, file: string): Decoded {
  const bytes = countBytes(text);
  if (bytes > MAX_BYTES) return refuseSize(bytes, file);
  const decoded = typeof text === "string" ? text : new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
  const source = openSource(decoded, file);
  const problems = [...findRefused(decoded)];
  if (problems.length === 0) return { ok: true, source };
  return { ok: false, findings: problems.map((problem) => toFinding(source, problem)) };
}

function countBytes(text: string | Uint8Array): number {
  if (typeof text !== "string") return text.byteLength;
  // A UTF-16 unit is at least one byte: a huge string is refused without encoding it.
  return text.length > MAX_BYTES ? text.length : new TextEncoder().encode(text).byteLength;
}

function refuseSize(bytes: number, file: string): Decoded {
  const message = `the file has at least ${bytes} bytes; ${MAX_BYTES} (1 MiB) is the most`;
  const help = "merge buckets into patterns, or remove pins that are no longer needed";
  const problem: Problem = { code: "MR1015", span: { start: 0, end: 1 }, message, help };
  return { ok: false, findings: [toFinding(openSource("", file), problem)] };
}

function describe(character: string): { readonly message: string; readonly help: string } {
  if (/[\uFFFD\p{Surrogate}]/u.test(character))
    return { message: "what stands here is not UTF-8", help: "save the file as UTF-8" };
  const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  const message = `the character ${name} is not allowed, not even in a comment`;
  const help =
    character === "\r" ? "end lines with LF or CRLF" : "delete it: tools and reviewers do not all see it alike";
  return { message, help };
}

function* findRefused(text: string): Generator<Problem> {
  let listed = 0;
  for (const match of text.matchAll(REFUSED)) {
    if (++listed > MAX_LISTED) return;
    yield { code: "MR1017", span: { start: match.index, end: match.index + 1 }, ...describe(match[0]) };
  }
}
