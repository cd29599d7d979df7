import { readLineEnding } from "#libs/input";

import type { BucketLayout, KeyLayout, ShareLayout } from "../source/layout.ts";
import { describeScalar } from "../source/number-like.ts";
import { findLineEnd, locate, type Source } from "../source/source.ts";
import type { Share } from "../source/types.ts";

/** Replace `start..end` of the text by `text`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The splice that adds shares after the last one of a bucket, in its style: quotes, blanks around `:`, indentation, line
 * endings, `, ` inside braces. Empty when there is nothing to add.
 */
export function writeNewShare(source: Source, bucket: BucketLayout, shares: readonly Share[]): readonly Splice[] {
  const last = bucket.shares.at(-1);
  if (last === undefined || shares.length === 0) return [];
  const entries = shares.map(
    (share) => `${writeKey(last.key, share.revision)}${readColon(source.text, last)}${share.weight}`,
  );
  if (bucket.flow) return [insert(last.value.end, entries, readComma(source.text, bucket.shares))];
  // After the line's comment and trailing blanks; a file without a final line ending stays so.
  return [
    insert(findLineEnd(source.text, last.value.end), entries, readEnding(source, last) + readIndent(source, last)),
  ];
}

function insert(at: number, entries: readonly string[], separator: string): Splice {
  return { start: at, end: at, text: entries.map((entry) => separator + entry).join("") };
}

/** Quoted as its neighbour; a name that other YAML readers take for a number is always quoted. */
function writeKey(neighbour: KeyLayout, revision: string): string {
  const quote = neighbour.quote === "" && describeScalar(revision) !== undefined ? '"' : neighbour.quote;
  return `${quote}${revision}${quote}`;
}

/** The text between the neighbour's key and its number, unless it spans lines. */
function readColon(text: string, share: ShareLayout): string {
  const between = text.slice(share.key.span.end, share.value.start);
  return /^[ \t]*:[ \t]*$/u.test(between) ? between : ": ";
}

function readComma(text: string, shares: readonly ShareLayout[]): string {
  const [before, last] = shares.slice(-2);
  if (before === undefined || last === undefined) return ", ";
  const between = text.slice(before.value.end, last.key.span.start);
  return /^\s*,\s*$/u.test(between) ? between : ", ";
}

function readIndent(source: Source, share: ShareLayout): string {
  return " ".repeat(locate(source, share.key.span.start).column - 1);
}

/** The line ending of the share's line; at the end of the file, that of the line before. */
function readEnding(source: Source, share: ShareLayout): string {
  const { text } = source;
  const next = text.indexOf("\n", share.value.end);
  return readLineEnding(text, next === -1 ? text.lastIndexOf("\n", share.value.end) : next);
}
