import { printDistributions } from "#libs/rollouts";

import type { BucketChange, LedgerState, RunRecord, Spec, SpecPoint } from "../records/index.ts";
import { listMainRuns } from "./campaign-runs.ts";
import { dropTakenBack } from "./past/drop-taken-back.ts";

/**
 * The list of distributions of a bucket after another one. One that is already in the list cuts it there; a new one is appended
 * (rules 2.1), and entries that it partly takes back are removed, because going to them again would be forward.
 */
function addDistribution(entries: readonly string[], distribution: string): readonly string[] {
  const index = entries.indexOf(distribution);
  return index < 0 ? [...dropTakenBack(entries, distribution), distribution] : entries.slice(0, index + 1);
}

/** By bucket, the distributions that main has had, oldest first; the last one is the present one. */
type Lists = ReadonlyMap<string, readonly string[]>;

/** Applies the changes of one run to the lists. */
function applyChanges(
  lists: Map<string, readonly string[]>,
  { changes, reseeded }: Pick<RunRecord, "changes" | "reseeded">,
): void {
  if (reseeded === true) lists.clear();
  for (const { pattern, from, to } of changes) {
    const before = reseeded === true ? [] : addDistribution(lists.get(pattern) ?? [], from);
    lists.set(pattern, addDistribution(before, to));
  }
}

/**
 * The runs that are not gone, and the changes of main that are not recorded as runs yet. While the ledger accepts no push these
 * may be many.
 */
export function listMovesToHead(ledger: LedgerState): readonly Move[] {
  return [...listMainRuns(ledger), ...(ledger.ahead ?? [])];
}

export type Move = Pick<RunRecord, "order" | "changes" | "reseeded">;

/** The lists after the runs before `until`. */
function listEntries(ledger: LedgerState, until = Number.POSITIVE_INFINITY): Map<string, readonly string[]> {
  const lists = new Map<string, readonly string[]>();
  for (const move of listMainRuns(ledger)) if (move.order < until) applyChanges(lists, move);
  return lists;
}

/** Distributions by pattern, and the seed. */
interface Said {
  readonly said: ReadonlyMap<string, string>;
  readonly seed: string;
}

/** The direction of the change in each bucket, by the distributions that main has had. */
function judgeAgainst(entries: Lists, before: Said, after: Said): readonly BucketChange[] {
  const isReseeded = before.seed !== after.seed;
  return [...new Set([...before.said.keys(), ...after.said.keys()])].toSorted().flatMap((pattern) => {
    const [from, to] = [before.said.get(pattern) ?? "", after.said.get(pattern) ?? ""];
    if (from === to && !isReseeded) return [];
    const isRollback = !isReseeded && addDistribution(entries.get(pattern) ?? [], from).includes(to);
    return [{ pattern, from, to, direction: isRollback ? ("rollback" as const) : ("forward" as const) }];
  });
}

function readSaid({ rollouts, settings }: Spec): Said {
  return { said: printDistributions(rollouts), seed: settings.seed };
}

/**
 * What a commit does to each bucket that it changes. Setting a bucket back to a distribution that main had before is a rollback
 * for that bucket, anything else is forward (rules 2.1). With a new seed everything is forward.
 */
export function judgeChanges(ledger: LedgerState, before: Spec, after: Spec): readonly BucketChange[] {
  return judgeAgainst(listEntries(ledger), readSaid(before), readSaid(after));
}

/**
 * Changes of main since the commit that was judged last, whose files are `judged`: the runs that are not recorded yet, oldest
 * first. Empty where those files do not parse, because there is nothing to compare with.
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
    applyChanges(lists, move);
    return [move];
  });
}

/** A bucket's list right after a run. A new seed starts an empty list. */
function listAfter(lists: Lists, { reseeded }: RunRecord, { pattern, from, to }: BucketChange): readonly string[] {
  return addDistribution(addDistribution(reseeded === true ? [] : (lists.get(pattern) ?? []), from), to);
}

/**
 * Whether main rolled back from this distribution, even in part, after the run. It is then no longer in the bucket's list, so
 * setting the bucket to it would be forward (rules 2.1).
 */
export function wasRolledBackFrom(
  ledger: LedgerState,
  since: RunRecord,
  pattern: string,
  distribution: string,
): boolean {
  const own = since.changes.find((each) => each.pattern === pattern);
  if (own === undefined) return false;
  const then = listAfter(listEntries(ledger, since.order), since, own);
  const later = listMovesToHead(ledger).filter(({ order }) => order > since.order);
  const steps = later.flatMap(({ changes }) => changes.filter((each) => each.pattern === pattern));
  const now = steps.reduce((list, { from, to }) => addDistribution(addDistribution(list, from), to), then);
  return then.includes(distribution) && !now.includes(distribution);
}

/**
 * The run's forward buckets for which these distributions are a rollback: main had each of them before the run and had not
 * rolled back from it. Anything else would move a bucket forward under the rules of a rollback (rules 2.1).
 */
export function listBucketsRolledBackTo(
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
 * The buckets that are rolled back with the run. Buckets that it moved forward by taking back a part of an earlier change are
 * left out: undoing that would be forward.
 */
export function listUndoable(ledger: LedgerState, run: RunRecord): readonly string[] {
  return run.reseeded === true
    ? listForwardBuckets(run)
    : listBucketsRolledBackTo(ledger, run, new Map(run.changes.map(({ pattern, from }) => [pattern, from])));
}

/** The buckets that the run moved forward; a rollback of the run sets these back (rules 2.2). */
export function listForwardBuckets(run: RunRecord): readonly string[] {
  return run.changes.filter(({ direction }) => direction === "forward").map(({ pattern }) => pattern);
}

/** The buckets that the run itself sets back. */
export function listRolledBackBuckets(run: Pick<RunRecord, "changes">): readonly string[] {
  return run.changes.filter(({ direction }) => direction === "rollback").map(({ pattern }) => pattern);
}

/** Whether the run moves no bucket forward, only back. */
export function isPureRollback(run: RunRecord): boolean {
  return run.changes.length > 0 && listForwardBuckets(run).length === 0;
}

/** Whether the run adds or removes a pattern: namespaces then change buckets, so any other bucket may be affected. */
export function changesPatterns({ changes }: Pick<RunRecord, "changes">): boolean {
  return changes.some(({ from, to }) => from === "" || to === "");
}

/**
 * Whether bucket `other` was changed since the run that added the pattern `gone`. Namespaces that return to `other` when the
 * pattern is removed then get a revision that they never had.
 */
function hasMovedOn(ledger: LedgerState, { order }: RunRecord, gone: string, other: string): boolean {
  const earlier = listMainRuns(ledger).filter((run) => run.order < order);
  const brought = earlier.findLastIndex(({ changes }) =>
    changes.some(({ pattern, from }) => pattern === gone && from === ""),
  );
  const since = earlier.slice(brought + 1).flatMap(({ changes }) => changes.filter(({ pattern }) => pattern === other));
  return since.length > 0 && since[0]?.from !== since.at(-1)?.to;
}

/**
 * Whether the run rolls a namespace back that moves from bucket `before` to bucket `after`: it must set back each of the two
 * that it changes. Where it removes `before`, `after` must also still have the distribution from the time before that bucket
 * was added; otherwise the namespace moves to a revision that main never wanted for it.
 */
export function isRollbackOf(run: RunRecord, before: string, after: string, ledger: LedgerState): boolean {
  const concerned = run.changes.filter(({ pattern }) => pattern === before || pattern === after);
  const isBack = concerned.length > 0 && concerned.every(({ direction }) => direction === "rollback");
  const isTakenOver = before !== after && !concerned.some(({ pattern }) => pattern === after);
  return isBack && !(isTakenOver && hasMovedOn(ledger, run, before, after));
}
