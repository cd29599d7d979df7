import { readLineEnding } from "#libs/input";
import type { RollbackEditRefusal } from "#libs/wording";
import {
  type Bucket,
  editShares,
  parseRollouts,
  printDistributions,
  type Rollouts,
  type ShareChange,
} from "#libs/rollouts";

import { rolloutsPath } from "../../main/index.ts";

/** A parsed text of `rollouts.yml`, split into lines with their ends. */
interface ParsedFile {
  readonly lines: readonly string[];
  readonly buckets: readonly Bucket[];
}

/** Lines of one bucket, from the first up to, but without, `end`; counted from 0. */
interface Block {
  readonly start: number;
  readonly end: number;
}

export type RollbackEdit =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: RollbackEditRefusal };

function parseFile(text: string): ParsedFile | undefined {
  const parsed = parseRollouts(text, rolloutsPath);
  return parsed.ok ? { lines: text.split(/(?<=\n)/u), buckets: parsed.value.buckets } : undefined;
}

function isIndented(line: string | undefined): boolean {
  return line !== undefined && /^[ \t]+\S/u.test(line);
}

/** A bucket's own lines; unindented lines before the next one belong to no bucket. */
function findBlock({ lines, buckets }: ParsedFile, pattern: string): Block | undefined {
  const index = buckets.findIndex((bucket) => bucket.pattern === pattern);
  const bucket = buckets[index];
  if (bucket === undefined || bucket.column !== 1) return undefined;
  const start = bucket.line - 1;
  let end = (buckets[index + 1]?.line ?? lines.length + 1) - 1;
  while (end > start + 1 && !isIndented(lines[end - 1])) end -= 1;
  return { start, end };
}

/** Comments directly above a bucket were added with it, when the earlier file lacks them. */
function includeComments({ lines }: ParsedFile, block: Block, keep: ReadonlySet<string>): Block {
  let { start } = block;
  const isOwn = (line: string | undefined): boolean => line?.startsWith("#") === true && !keep.has(line.trim());
  while (start > 0 && isOwn(lines[start - 1])) start -= 1;
  return { start, end: block.end };
}

/** With blank lines on both sides of a removed part one of them is removed. */
function closeHole(before: readonly string[], after: readonly string[]): readonly string[] {
  const isBlank = (line: string | undefined): boolean => line?.trim() === "";
  const isDouble = isBlank(before.at(-1)) && (after.length === 0 || isBlank(after[0]));
  return [...(isDouble ? before.slice(0, -1) : before), ...after];
}

function removeBucket(file: ParsedFile, pattern: string, old: ParsedFile): readonly string[] | undefined {
  const block = findBlock(file, pattern);
  if (block === undefined) return undefined;
  const { start, end } = includeComments(file, block, new Set(old.lines.map((line) => line.trim())));
  return closeHole(file.lines.slice(0, start), file.lines.slice(end));
}

/** The place after the bucket that preceded it, as far as that still exists. */
function findPlace(file: ParsedFile, pattern: string, old: ParsedFile): number | undefined {
  const order = old.buckets.map((bucket) => bucket.pattern);
  const earlier = order.slice(0, order.indexOf(pattern)).toReversed();
  const neighbour = earlier.find((name) => file.buckets.some((bucket) => bucket.pattern === name));
  if (neighbour !== undefined) return findBlock(file, neighbour)?.end;
  return file.buckets[0]?.column === 1 ? file.buckets[0].line - 1 : undefined;
}

/** Inserts the bucket's earlier lines, with the present line ends. */
function addBucket(file: ParsedFile, pattern: string, old: ParsedFile): readonly string[] | undefined {
  const block = findBlock(old, pattern);
  const place = findPlace(file, pattern, old);
  if (block === undefined || place === undefined) return undefined;
  const [first = ""] = file.lines;
  const ending = readLineEnding(first, first.length - 1);
  const added = old.lines.slice(block.start, block.end).map((line) => line.replace(/\r?\n?$/u, "") + ending);
  const before = file.lines.slice(0, place);
  const last = before.at(-1);
  // A last line without a line end gets one when something follows.
  const closed = last === undefined || last.endsWith("\n") ? before : [...before.slice(0, -1), last + ending];
  return [...closed, ...added, ...file.lines.slice(place)];
}

/** A bucket's earlier shares, and 0 for revisions that were added since. */
function listShares(now: Bucket, then: Bucket): ShareChange {
  const had = then.shares.filter(({ weight }) => weight > 0);
  const names = new Set(had.map(({ revision }) => revision));
  const gone = now.shares.filter(({ revision }) => !names.has(revision));
  return { pattern: now.pattern, shares: [...had, ...gone.map(({ revision }) => ({ revision, weight: 0 }))] };
}

function editBucket(text: string, pattern: string, old: ParsedFile): string | undefined {
  const file = parseFile(text);
  if (file === undefined) return undefined;
  const now = file.buckets.find((bucket) => bucket.pattern === pattern);
  const then = old.buckets.find((bucket) => bucket.pattern === pattern);
  if (now !== undefined && then !== undefined) {
    const edited = editShares(text, [listShares(now, then)], rolloutsPath);
    return edited.ok ? edited.text : undefined;
  }
  if (now !== undefined) return removeBucket(file, pattern, old)?.join("");
  if (then !== undefined) return addBucket(file, pattern, old)?.join("");
  return text;
}

function printBuckets({ buckets }: Rollouts, without: ReadonlySet<string>): string {
  const kept = buckets.filter(({ pattern }) => !without.has(pattern));
  return JSON.stringify(kept.map(({ pattern, shares }) => [pattern, shares]));
}

/** Verifies the result: these buckets are as before, all others as now. */
function verify(text: string, head: Rollouts, old: Rollouts, patterns: ReadonlySet<string>): boolean {
  const parsed = parseRollouts(text, rolloutsPath);
  if (!parsed.ok || printBuckets(parsed.value, patterns) !== printBuckets(head, patterns)) return false;
  const [now, then] = [printDistributions(parsed.value), printDistributions(old)];
  return [...patterns].every((pattern) => now.get(pattern) === then.get(pattern));
}

/**
 * Restores buckets of main's file from an older version: digits where the bucket is in both, its lines where it was added or
 * removed since. All other bytes stay.
 */
export function editRollback(headText: string, oldText: string, patterns: readonly string[]): RollbackEdit {
  const [head, old] = [parseFile(headText), parseFile(oldText)];
  if (head === undefined) return { ok: false, why: { code: "MainUnread" } };
  if (old === undefined) return { ok: false, why: { code: "BeforeUnread" } };
  let text = headText;
  for (const pattern of patterns) {
    const next = editBucket(text, pattern, old);
    if (next === undefined) return { ok: false, why: { code: "NeedsReformat", bucket: pattern } };
    text = next;
  }
  if (!verify(text, head, old, new Set(patterns))) return { ok: false, why: { code: "NotAlone" } };
  return { ok: true, text };
}
