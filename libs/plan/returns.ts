import { printDistributions } from "#libs/spec";

import type { BucketChange, LedgerState, RunRecord } from "./ledger-state.ts";
import type { Spec } from "./world.ts";

/** Where a distribution that main has had already stands, the list is cut; any other is appended (rules 2.1). */
function enter(entries: readonly string[], distribution: string): readonly string[] {
  const index = entries.indexOf(distribution);
  return index < 0 ? [...entries, distribution] : entries.slice(0, index + 1);
}

/** Per bucket, the distributions that main has had, oldest first; the last one is what it has. By the runs before that one. */
function listEntries(ledger: LedgerState, until = Number.POSITIVE_INFINITY): Map<string, readonly string[]> {
  const lists = new Map<string, readonly string[]>();
  const runs = Object.values(ledger.runs).toSorted((a, b) => a.order - b.order);
  for (const run of runs) {
    if (run.state === "gone" || run.order >= until) continue;
    if (run.reseeded === true) lists.clear();
    for (const { pattern, from, to } of run.changes) {
      const before = run.reseeded === true ? [] : enter(lists.get(pattern) ?? [], from);
      lists.set(pattern, enter(before, to));
    }
  }
  return lists;
}

/**
 * What a commit does to each bucket that it changes: one that sets a bucket back to what main had before is a return for
 * that bucket, anything else is forward (rules 2.1). With a new seed everything is forward.
 */
export function judgeChanges(ledger: LedgerState, before: Spec, after: Spec): readonly BucketChange[] {
  const isReseeded = before.settings.seed !== after.settings.seed;
  const lists = isReseeded ? new Map<string, readonly string[]>() : listEntries(ledger);
  const [old, now] = [printDistributions(before.rollouts), printDistributions(after.rollouts)];
  return [...new Set([...old.keys(), ...now.keys()])].toSorted().flatMap((pattern) => {
    const [from, to] = [old.get(pattern) ?? "", now.get(pattern) ?? ""];
    if (from === to && !isReseeded) return [];
    const isReturn = !isReseeded && enter(lists.get(pattern) ?? [], from).includes(to);
    return [{ pattern, from, to, direction: isReturn ? ("return" as const) : ("forward" as const) }];
  });
}

/**
 * True when a later return went back further than this distribution: it is no entry of the bucket's list any more, so a
 * rollback to it would move the bucket forward (rules 2.1).
 */
export function isCutOff(ledger: LedgerState, since: RunRecord, pattern: string, distribution: string): boolean {
  const isReturned = Object.values(ledger.runs).some(
    (run) => run.order > since.order && run.state !== "gone" && listReturnedBuckets(run).includes(pattern),
  );
  return isReturned && !(listEntries(ledger).get(pattern) ?? []).includes(distribution);
}

/**
 * Buckets of the run that go back with these distributions: main had each of them before the run, and did not go back from
 * it until then. Anything else would be forward, under the rules of a return (rules 2.1).
 */
export function listTakenBack(ledger: LedgerState, run: RunRecord, to: ReadonlyMap<string, string>): readonly string[] {
  const lists = listEntries(ledger, run.order);
  return run.changes.flatMap(({ pattern, from, direction }) => {
    const had = enter(lists.get(pattern) ?? [], from);
    return direction === "forward" && had.includes(to.get(pattern) ?? "") ? [pattern] : [];
  });
}

/** Buckets that the run moved to what main never had: what a rollback of it returns (rules 2.2). */
export function listForwardBuckets(run: RunRecord): readonly string[] {
  return run.changes.filter(({ direction }) => direction === "forward").map(({ pattern }) => pattern);
}

/** Buckets that the run sets back. */
export function listReturnedBuckets(run: RunRecord): readonly string[] {
  return run.changes.filter(({ direction }) => direction === "return").map(({ pattern }) => pattern);
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
export function isReturnOf(run: RunRecord, before: string, after: string, ledger: LedgerState): boolean {
  const concerned = run.changes.filter(({ pattern }) => pattern === before || pattern === after);
  const isBack = concerned.length > 0 && concerned.every(({ direction }) => direction === "return");
  const isTakenOver = before !== after && !concerned.some(({ pattern }) => pattern === after);
  return isBack && !(isTakenOver && hasMovedOn(ledger, run, before, after));
}
