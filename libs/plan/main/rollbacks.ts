import { printDistributions } from "#libs/rollouts";

import type { BucketChange, LedgerState, RunRecord, Spec, SpecPoint } from "../records/index.ts";
import { dropOverwritten } from "./past/left-answers.ts";

/**
 * Where a distribution that main has had already stands, the list is cut; any other is appended (rules 2.1). An entry of which
 * the new one takes something back is no entry any more: going there again would be forward.
 */
function enter(entries: readonly string[], distribution: string): readonly string[] {
  const index = entries.indexOf(distribution);
  return index < 0 ? [...dropOverwritten(entries, distribution), distribution] : entries.slice(0, index + 1);
}

/** Per bucket, the distributions that main has had, oldest first; the last one is what it has. */
type Lists = ReadonlyMap<string, readonly string[]>;

/** What one run makes of the lists. */
function enterChanges(
  lists: Map<string, readonly string[]>,
  { changes, reseeded }: Pick<RunRecord, "changes" | "reseeded">,
): void {
  if (reseeded === true) lists.clear();
  for (const { pattern, from, to } of changes) {
    const before = reseeded === true ? [] : enter(lists.get(pattern) ?? [], from);
    lists.set(pattern, enter(before, to));
  }
}

function listMoves({ runs }: LedgerState): readonly Move[] {
  return Object.values(runs)
    .filter(({ state }) => state !== "gone")
    .toSorted((a, b) => a.order - b.order);
}

/** The same, and what main says since: while the ledger takes no push that may be much. */
export function listMovesToHead(ledger: LedgerState): readonly Move[] {
  return [...listMoves(ledger), ...(ledger.ahead ?? [])];
}

type Move = Pick<RunRecord, "order" | "changes" | "reseeded">;

/** By the runs before that one. */
function listEntries(ledger: LedgerState, until = Number.POSITIVE_INFINITY): Map<string, readonly string[]> {
  const lists = new Map<string, readonly string[]>();
  for (const move of listMoves(ledger)) if (move.order < until) enterChanges(lists, move);
  return lists;
}

/** Distributions by pattern, and the seed. */
interface Said {
  readonly said: ReadonlyMap<string, string>;
  readonly seed: string;
}

/** What a change does to each bucket, by what main has had. */
function judgeAgainst(entries: Lists, before: Said, after: Said): readonly BucketChange[] {
  const isReseeded = before.seed !== after.seed;
  return [...new Set([...before.said.keys(), ...after.said.keys()])].toSorted().flatMap((pattern) => {
    const [from, to] = [before.said.get(pattern) ?? "", after.said.get(pattern) ?? ""];
    if (from === to && !isReseeded) return [];
    const isRollback = !isReseeded && enter(entries.get(pattern) ?? [], from).includes(to);
    return [{ pattern, from, to, direction: isRollback ? ("rollback" as const) : ("forward" as const) }];
  });
}

function readSaid({ rollouts, settings }: Spec): Said {
  return { said: printDistributions(rollouts), seed: settings.seed };
}

/**
 * What a commit does to each bucket that it changes: one that sets a bucket back to what main had before is a rollback for
 * that bucket, anything else is forward (rules 2.1). With a new seed everything is forward.
 */
export function judgeChanges(ledger: LedgerState, before: Spec, after: Spec): readonly BucketChange[] {
  return judgeAgainst(listEntries(ledger), readSaid(before), readSaid(after));
}

/**
 * What main changed since the commit that was judged last, whose files are `judged`: the runs that are not on record yet. Oldest
 * first; empty where those files do not parse, for nothing is compared with them.
 */
export function listAhead(
  ledger: LedgerState,
  judged: Spec | undefined,
  points: readonly SpecPoint[],
): readonly Move[] {
  if (judged === undefined) return [];
  const lists = listEntries(ledger);
  let order = Math.max(0, ...Object.values(ledger.runs).map((run) => run.order));
  let before = judged;
  return points.flatMap((point) => {
    if (!("spec" in point)) return [];
    const changes = judgeAgainst(lists, readSaid(before), readSaid(point.spec));
    const reseeded = before.settings.seed === point.spec.settings.seed ? {} : { reseeded: true as const };
    before = point.spec;
    if (changes.length === 0) return [];
    order += 1;
    const move = { order, changes, ...reseeded };
    enterChanges(lists, move);
    return [move];
  });
}

/** A bucket's list right after a run; a new seed alone takes nothing of the way to it away. */
function listAfter(lists: Lists, { reseeded }: RunRecord, { pattern, from, to }: BucketChange): readonly string[] {
  return enter(enter(reseeded === true ? [] : (lists.get(pattern) ?? []), from), to);
}

/**
 * True when main rolled back from this distribution, if only in part, after the run: it is no entry of the bucket's list any
 * more, so a rollback to it would move the bucket forward (rules 2.1).
 */
export function isCutOff(ledger: LedgerState, since: RunRecord, pattern: string, distribution: string): boolean {
  const own = since.changes.find((each) => each.pattern === pattern);
  if (own === undefined) return false;
  const then = listAfter(listEntries(ledger, since.order), since, own);
  const later = listMovesToHead(ledger).filter(({ order }) => order > since.order);
  const steps = later.flatMap(({ changes }) => changes.filter((each) => each.pattern === pattern));
  const now = steps.reduce((list, { from, to }) => enter(enter(list, from), to), then);
  return then.includes(distribution) && !now.includes(distribution);
}

/**
 * Buckets of the run that are rolled back with these distributions: main had each of them before the run, and did not roll back from
 * it until then, nor with the run itself. Anything else would be forward, under the rules of a rollback (rules 2.1).
 */
export function listOverwritten(
  ledger: LedgerState,
  run: RunRecord,
  to: ReadonlyMap<string, string>,
): readonly string[] {
  const lists = listEntries(ledger, run.order);
  return run.changes.flatMap((change) => {
    const { pattern, direction } = change;
    const had = listAfter(lists, run, change).slice(0, -1);
    return direction === "forward" && had.includes(to.get(pattern) ?? "") ? [pattern] : [];
  });
}

/**
 * Buckets that are rolled back when the run is rolled back to what stood before it. Those that it moved forward by taking a part of
 * something back are not among them: taking that back is forward.
 */
export function listUndoable(ledger: LedgerState, run: RunRecord): readonly string[] {
  return run.reseeded === true
    ? listForwardBuckets(run)
    : listOverwritten(ledger, run, new Map(run.changes.map(({ pattern, from }) => [pattern, from])));
}

/** Buckets that the run moved to what main never had: what a rollback of it returns (rules 2.2). */
export function listForwardBuckets(run: RunRecord): readonly string[] {
  return run.changes.filter(({ direction }) => direction === "forward").map(({ pattern }) => pattern);
}

/** Buckets that the run sets back. */
export function listRolledBackBuckets(run: Pick<RunRecord, "changes">): readonly string[] {
  return run.changes.filter(({ direction }) => direction === "rollback").map(({ pattern }) => pattern);
}

/** Since the run that brought a pattern, another one moved on: what is in it after the pattern went, it never was in before. */
function hasMovedOn(ledger: LedgerState, { order }: RunRecord, gone: string, other: string): boolean {
  const earlier = Object.values(ledger.runs)
    .filter((run) => run.order < order && run.state !== "gone")
    .toSorted((a, b) => a.order - b.order);
  const brought = earlier.findLastIndex(({ changes }) =>
    changes.some(({ pattern, from }) => pattern === gone && from === ""),
  );
  const since = earlier.slice(brought + 1).flatMap(({ changes }) => changes.filter(({ pattern }) => pattern === other));
  return since.length > 0 && since[0]?.from !== since.at(-1)?.to;
}

/**
 * True when the run brings a namespace back whose bucket was `before` and is `after`: each of the two that it changed is
 * one that it sets back. Where a bucket goes, the one that takes its namespaces over must say what it said before that
 * bucket came: else they move to what main never asked of them.
 */
export function isRollbackOf(run: RunRecord, before: string, after: string, ledger: LedgerState): boolean {
  const concerned = run.changes.filter(({ pattern }) => pattern === before || pattern === after);
  const isBack = concerned.length > 0 && concerned.every(({ direction }) => direction === "rollback");
  const isTakenOver = before !== after && !concerned.some(({ pattern }) => pattern === after);
  return isBack && !(isTakenOver && hasMovedOn(ledger, run, before, after));
}
