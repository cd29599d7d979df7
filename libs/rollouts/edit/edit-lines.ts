import { readLineEnding } from "#libs/input";

import { isRevision } from "../file/check-buckets.ts";
import { applySplices, describe, type Edited } from "./edit.ts";
import type { BucketLayout, ShareLayout } from "../source/layout.ts";
import type { Splice } from "./new-share.ts";
import { describeScalar } from "../source/number-like.ts";
import { parseRollouts } from "../parse.ts";
import { readRollouts, report } from "../read-rollouts.ts";
import { findLineEnd, locate, openSource, quoteText, toFinding, type Problem, type Source } from "../source/source.ts";
import type { Bucket, Finding } from "../source/types.ts";

/** A revision of a bucket that has no share any more. */
export interface ZeroShare {
  readonly pattern: string;
  readonly revision: string;
}

type Opened =
  | {
      readonly ok: true;
      readonly source: Source;
      readonly layouts: readonly BucketLayout[];
      readonly buckets: readonly Bucket[];
    }
  | { readonly ok: false; readonly findings: readonly Finding[] };

function open(text: string, file: string): Opened {
  const reading = readRollouts(text, file);
  if (!reading.ok) return reading;
  const parsed = parseRollouts(text, file);
  if (!parsed.ok) return { ok: false, findings: report(reading.source, reading.problems) };
  return { ok: true, source: reading.source, layouts: reading.buckets, buckets: parsed.value.buckets };
}

function refuse(source: Source, problem: Omit<Problem, "span">, start = 0): Edited {
  return { ok: false, findings: [toFinding(source, { ...problem, span: { start, end: start + 1 } })] };
}

/** The last word: the result is read like any file, and must say what was requested and nothing else. */
function verify(source: Source, text: string, want: readonly Bucket[]): Edited {
  const parsed = parseRollouts(text, source.file);
  if (!parsed.ok) return { ok: false, findings: parsed.findings };
  if (describe(parsed.value) === describe({ buckets: want })) return { ok: true, text };
  const help = "write one `revision: percentage` per line, then run this again";
  return refuse(source, { code: "MR1013", message: "this file cannot be edited without reformatting it", help });
}

/** From the start of the line that holds `from` to the start of the line behind the one that holds `to`. */
function cutLines({ text }: Source, from: number, to: number): Splice {
  const end = findLineEnd(text, to);
  const next = text.indexOf("\n", end);
  const start = text.lastIndexOf("\n", from - 1) + 1;
  // The last line of a file without a final line ending takes the ending before it along.
  if (next !== -1) return { start, end: next + 1, text: "" };
  const before = text.startsWith("\r\n", start - 2) ? start - 2 : start - 1;
  return { start: Math.max(0, before), end: text.length, text: "" };
}

/** A share inside braces goes with one of the commas next to it. */
function cutShare(source: Source, { flow, shares }: BucketLayout, share: ShareLayout): Splice {
  if (!flow) return cutLines(source, share.key.span.start, share.value.end);
  const at = shares.indexOf(share);
  const [before, after] = [shares[at - 1], shares[at + 1]];
  if (after !== undefined) return { start: share.key.span.start, end: after.key.span.start, text: "" };
  return { start: before?.value.end ?? share.key.span.start, end: share.value.end, text: "" };
}

/**
 * Removes revisions of weight 0 from their buckets, the line of each with its comment; every other byte stays, and every
 * namespace's answer too. A share that the file does not have counts as removed; one that is not 0 is refused.
 */
export function removeZeroShares(text: string, zeros: readonly ZeroShare[]): Edited {
  const opened = open(text, "rollouts.yml");
  if (!opened.ok) return opened;
  const { source, layouts, buckets } = opened;
  const isAsked = (pattern: string, revision: string) =>
    zeros.some((zero) => zero.pattern === pattern && zero.revision === revision);
  const found = layouts.flatMap((bucket) =>
    bucket.shares.flatMap((share) => (isAsked(bucket.key.name, share.key.name) ? [{ bucket, share }] : [])),
  );
  const used = found.find(({ share }) => share.weight !== 0);
  if (used !== undefined) {
    const { share, bucket } = used;
    const message = `${quoteText(share.key.name)} still has ${share.weight} % of ${quoteText(bucket.key.name)}`;
    return refuse(source, { code: "MR1019", message, help: "set it to 0 first" }, share.key.span.start);
  }
  const want = buckets.map((bucket) => ({
    ...bucket,
    shares: bucket.shares.filter(({ revision }) => !isAsked(bucket.pattern, revision)),
  }));
  return verify(
    source,
    applySplices(
      text,
      found.map(({ bucket, share }) => cutShare(source, bucket, share)),
    ),
    want,
  );
}

/** Removes a bucket: its own lines and nothing else. */
export function removeBucket(text: string, pattern: string, file = "rollouts.yml"): Edited {
  const opened = open(text, file);
  if (!opened.ok) return opened;
  const { source, layouts, buckets } = opened;
  const bucket = layouts.find(({ key }) => key.name === pattern);
  if (bucket === undefined) {
    const message = `there is no bucket ${quoteText(pattern)} to remove`;
    return refuse(source, { code: "MR1019", message, help: "look at the file on main" });
  }
  const end = bucket.shares.at(-1)?.value.end ?? bucket.key.span.end;
  const splice = cutLines(source, bucket.key.span.start, end);
  return verify(
    source,
    applySplices(text, [splice]),
    buckets.filter((each) => each.pattern !== pattern),
  );
}

const plainKey = /^[a-z][a-z0-9-]*$/u;
/** YAML 1.1 takes these for truth values. */
const words: ReadonlySet<string> = new Set(["true", "false", "yes", "no", "on", "off", "y", "n", "null"]);

function quoteKey(key: string, isPlain: boolean): string {
  return isPlain && describeScalar(key) === undefined && !words.has(key) ? key : JSON.stringify(key);
}

/** Indentation of the file's own entries, and its last line ending. */
function readStyle(
  source: Source,
  layouts: readonly BucketLayout[],
): { readonly indent: string; readonly ending: string } {
  const share = layouts.find(({ flow }) => !flow)?.shares[0];
  const column = share === undefined ? 3 : locate(source, share.key.span.start).column;
  return { indent: " ".repeat(column - 1), ending: readLineEnding(source.text, source.text.lastIndexOf("\n")) };
}

/**
 * Adds a bucket that sends all of its namespaces to one revision, as the file's last lines, in the style of the others; `comment`
 * (one line) stands behind its key. Every other byte stays.
 */
export function appendBucket(
  text: string,
  bucket: { readonly pattern: string; readonly revision: string; readonly comment?: string },
  file = "rollouts.yml",
): Edited {
  const opened = open(text, file);
  if (!opened.ok) return opened;
  const { source, layouts, buckets } = opened;
  const { pattern, revision, comment } = bucket;
  if (!isRevision(revision)) {
    const message = `${quoteText(revision)} cannot be the value of a label`;
    return refuse(source, { code: "MR1016", message, help: "name a revision such as 1-25-2" });
  }
  const { indent, ending } = readStyle(source, layouts);
  const said = comment === undefined ? "" : ` # ${comment}`;
  const key = quoteKey(pattern, plainKey.test(pattern));
  const lines = [`${key}:${said}`, `${indent}${quoteKey(revision, true)}: 100`, ""].join(ending);
  const gap = text === "" || text.endsWith("\n") ? "" : ending;
  const added: Bucket = { pattern, line: 0, column: 0, shares: [{ revision, weight: 100 }] };
  return verify(openSource(text, file), text + gap + lines, [...buckets, added]);
}
