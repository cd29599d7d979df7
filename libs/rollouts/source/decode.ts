import { openSource, toFinding, type Problem, type Source } from "./source.ts";
import type { Finding } from "./types.ts";

/** @internal The largest `rollouts.yml` that is read at all, in bytes. */
export const MAX_BYTES = 1024 * 1024;

/** At most so many bad characters are listed: a binary file would otherwise give a finding per byte. */
const MAX_LISTED = 20;

/**
 * NUL and other controls are not YAML. The rest makes two readers disagree about the same bytes: line ends that only YAML 1.1
 * knows (NEL, LS, PS, a lone CR), and marks that reorder or hide text from the reviewer of a pull request. U+FFFD is what git's text has
 * where the file has bytes that are not UTF-8: `validate`, which sees the bytes, and the planner must say the same.
 */
const REFUSED =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFFFD\uFFFE\uFFFF]|\r(?!\n)|(?!^)\uFEFF/gu;

/** What a decoder writes in place of a bad byte. */
const replaced = "\uFFFD";

export type Decoded =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Bytes or text -> source, or MR1015 (too large) and MR1017 (not plain UTF-8 text). Linear; nothing is parsed yet. */
export function decodeSource(text: string | Uint8Array, file: string): Decoded {
  const bytes = countBytes(text);
  if (bytes > MAX_BYTES) return refuseSize(bytes, file);
  const decoded = typeof text === "string" ? text : new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
  const source = openSource(decoded, file);
  const bad = findBadEncoding(text, decoded);
  // The place is named once, by its bytes.
  const problems = [...bad, ...findRefused(bad.length === 0 ? decoded : decoded.replaceAll(replaced, " "))];
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

/** The first place that is not UTF-8: from there on the decoder's text cannot be trusted. */
function findBadEncoding(text: string | Uint8Array, decoded: string): readonly Problem[] {
  const at = typeof text === "string" ? findLoneSurrogate(text) : findBadByte(text, decoded);
  if (at === undefined) return [];
  const message = "the file is not valid UTF-8 from here on";
  return [{ code: "MR1017", span: { start: at, end: at + 1 }, message, help: "save the file as UTF-8" }];
}

function findLoneSurrogate(text: string): number | undefined {
  return text.isWellFormed() ? undefined : /\p{Surrogate}/u.exec(text)?.index;
}

/** The decoder writes U+FFFD for a bad byte; one that stands in the file itself has the bytes EF BF BD. */
function findBadByte(bytes: Uint8Array, decoded: string): number | undefined {
  if (!decoded.includes(replaced)) return undefined;
  const back = new TextEncoder().encode(decoded);
  let same = 0;
  while (same < bytes.length && bytes[same] === back[same]) same++;
  if (same === bytes.length && same === back.length) return undefined;
  // `stream` leaves out a character that is cut in two, so this counts whole characters before the bad byte only.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(back.subarray(0, same), { stream: true }).length;
}

function adviseOn(character: string): string {
  if (character === "\r") return "end lines with LF or CRLF";
  if (character === replaced) return "it stands where bytes are not UTF-8: save the file as UTF-8";
  return "delete it: tools and reviewers do not all see it alike";
}

function* findRefused(text: string): Generator<Problem> {
  let listed = 0;
  for (const match of text.matchAll(REFUSED)) {
    if (++listed > MAX_LISTED) return;
    const point = match[0].codePointAt(0) ?? 0;
    const name = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
    const message = `the character ${name} is not allowed, not even in a comment`;
    yield { code: "MR1017", span: { start: match.index, end: match.index + 1 }, message, help: adviseOn(match[0]) };
  }
}
