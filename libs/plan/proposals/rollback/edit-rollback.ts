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
interface Page {
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

function openPage(text: string): Page | undefined {
  const parsed = parseRollouts(text, rolloutsPath);
  return parsed.ok ? { lines: text.split(/(?<=\n)/u), buckets: parsed.value.buckets } : undefined;
}

function isIndented(line: string | undefined): boolean {
  return line !== undefined && /^[ \t]+\S/u.test(line);
}

/** A bucket's own lines; unindented lines before the next one belong to no bucket. */
function findBlock({ lines, buckets }: Page, pattern: string): Block | undefined {
  const index = buckets.findIndex((bucket) => bucket.pattern === pattern);
  const bucket = buckets[index];
  if (bucket === undefined || bucket.column !== 1) return undefined;
  const start = bucket.line - 1;
  let end = (buckets[index + 1]?.line ?? lines.length + 1) - 1;
  while (end > start + 1 && !isIndented(lines[end - 1])) end -= 1;
  return { start, end };
}

/** Comments directly above a bucket were added with it, when the earlier file lacks them. */
function includeComments({ lines }: Page, block: Block, keep: ReadonlySet<string>): Block {
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

function removeBucket(page: Page, pattern: string, old: Page): readonly string[] | undefined {
  const block = findBlock(page, pattern);
  if (block === undefined) return undefined;
  const { start, end } = includeComments(page, block, new Set(old.lines.map((line) => line.trim())));
  return closeHole(page.lines.slice(0, start), page.lines.slice(end));
}

function readEnding(lines: readonly string[]): string {
  return lines[0]?.endsWith("\r\n") === true ? "\r\n" : "\n";
}

/** The place after the bucket that preceded it, as far as that still exists. */
function findPlace(page: Page, pattern: string, old: Page): number | undefined {
  const order = old.buckets.map((bucket) => bucket.pattern);
  const earlier = order.slice(0, order.indexOf(pattern)).toReversed();
  const neighbour = earlier.find((name) => page.buckets.some((bucket) => bucket.pattern === name));
  if (neighbour !== undefined) return findBlock(page, neighbour)?.end;
  return page.buckets[0]?.column === 1 ? page.buckets[0].line - 1 : undefined;
}

/** Its earlier lines, with the present line ends. */
function addBucket(page: Page, pattern: string, old: Page): readonly string[] | undefined {
  const block = findBlock(old, pattern);
  const place = findPlace(page, pattern, old);
  if (block === undefined || place === undefined) return undefined;
  const ending = readEnding(page.lines);
  const added = old.lines.slice(block.start, block.end).map((line) => line.replace(/\r?\n?$/u, "") + ending);
  const before = page.lines.slice(0, place);
  const last = before.at(-1);
  // A last line without a line end gets one when something follows.
  const closed = last === undefined || last.endsWith("\n") ? before : [...before.slice(0, -1), last + ending];
  return [...closed, ...added, ...page.lines.slice(place)];
}

/** A bucket's earlier shares, and 0 for revisions that were added since. */
function listShares(now: Bucket, then: Bucket): ShareChange {
  const had = then.shares.filter(({ weight }) => weight > 0);
  const names = new Set(had.map(({ revision }) => revision));
  const gone = now.shares.filter(({ revision }) => !names.has(revision));
  return { pattern: now.pattern, shares: [...had, ...gone.map(({ revision }) => ({ revision, weight: 0 }))] };
}

function editBucket(text: string, pattern: string, old: Page): string | undefined {
  const page = openPage(text);
  if (page === undefined) return undefined;
  const now = page.buckets.find((bucket) => bucket.pattern === pattern);
  const then = old.buckets.find((bucket) => bucket.pattern === pattern);
  if (now !== undefined && then !== undefined) {
    const edited = editShares(text, [listShares(now, then)], rolloutsPath);
    return edited.ok ? edited.text : undefined;
  }
  if (now !== undefined) return removeBucket(page, pattern, old)?.join("");
  if (then !== undefined) return addBucket(page, pattern, old)?.join("");
  return text;
}

function listBuckets({ buckets }: Rollouts, without: ReadonlySet<string>): string {
  const kept = buckets.filter(({ pattern }) => !without.has(pattern));
  return JSON.stringify(kept.map(({ pattern, shares }) => [pattern, shares]));
}

/** Verifies the result: these buckets are as before, all others as now. */
function verify(text: string, head: Rollouts, old: Rollouts, patterns: ReadonlySet<string>): boolean {
  const parsed = parseRollouts(text, rolloutsPath);
  if (!parsed.ok || listBuckets(parsed.value, patterns) !== listBuckets(head, patterns)) return false;
  const [now, then] = [printDistributions(parsed.value), printDistributions(old)];
  return [...patterns].every((pattern) => now.get(pattern) === then.get(pattern));
}

/**
 * Restores buckets of main's file from an older version: digits where the bucket is in both, its lines where it was added or
 * removed since. All other bytes stay.
 */
export function editRollback(headText: string, oldText: string, patterns: readonly string[]): RollbackEdit {
  const [head, old] = [openPage(headText), openPage(oldText)];
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
