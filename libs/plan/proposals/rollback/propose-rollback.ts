import { parseRollouts, printDistributions } from "#libs/rollouts";
import type { RollbackEditRefusal } from "#libs/wording";

import { rolloutsPath } from "../../main/index.ts";
import type { Decision, LedgerState, RunRecord, Snapshot, Spec, StopRecord } from "../../records/index.ts";
import { findRun, listRecordedStops, refuseTarget } from "../../stops/index.ts";
import { editRollback } from "./edit-rollback.ts";

/** A rollback in force, for which main must get the distributions of `to` again. */
export interface RequestedRollback {
  readonly stop: StopRecord;
  readonly run: RunRecord;
  /** The commit whose distributions the run's buckets are rolled back to. */
  readonly to: string;
  /** The branch of its pull request; a second rollback of the same run gets another one (rules 10.3). */
  readonly branch: string;
}

/** What one rollback needs on main. */
export type RollbackProposal =
  /** Nothing: main says the same already. */
  | { readonly kind: "said" }
  | { readonly kind: "edit"; readonly text: string }
  /** Only a person can make the edit. */
  | { readonly kind: "impossible"; readonly why: RollbackEditRefusal };

function isRollback({ revertTo }: StopRecord): boolean {
  return revertTo !== undefined;
}

/**
 * Numbered by the rollbacks of the run in the order of their requests, ended ones included: the pull request of an ended one
 * stays closed.
 */
function nameBranch(ledger: LedgerState, { id, scope }: StopRecord, run: string): string {
  const asked = Object.values(ledger.stops)
    .filter((stop) => stop.scope === scope && isRollback(stop))
    .toSorted((a, b) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? -1 : 1));
  const round = asked.findIndex((stop) => stop.id === id) + 1;
  return `meshroll/rollback/${run}${round > 1 ? `-${round}` : ""}`;
}

/** Rollbacks in force, oldest first. */
export function listRequestedRollbacks({
  main,
  ledger,
}: Pick<Snapshot, "main" | "ledger">): readonly RequestedRollback[] {
  if (ledger === undefined) return [];
  const asked = listRecordedStops(ledger).flatMap((stop) => {
    const run = findRun(ledger, stop.scope);
    if (stop.revertTo === undefined || run === undefined || run.state === "gone") return [];
    if (refuseTarget(main, ledger, run, { commit: stop.revertTo, to: undefined, now: false }) !== undefined) return [];
    return [{ stop, run, to: stop.revertTo, branch: nameBranch(ledger, stop, run.id) }];
  });
  return asked.toSorted((a, b) => (a.stop.at < b.stop.at ? -1 : 1));
}

type Distributions = ReadonlyMap<string, string>;

/** The distributions of a text and an older one; undefined where one of them does not parse. */
function readBoth(text: string | undefined, oldText: string | undefined): readonly Distributions[] | undefined {
  const both = [text, oldText].map((each) => parseRollouts(each ?? "", rolloutsPath));
  const read = both.flatMap((each) => (each.ok ? [printDistributions(each.value)] : []));
  return read.length === 2 ? read : undefined;
}

/** Whether a text gives these buckets the distributions of the older text. */
export function isRolledBack(buckets: readonly string[], text: string, oldText: string): boolean {
  const [has, had] = readBoth(text, oldText) ?? [];
  return has !== undefined && buckets.every((pattern) => has.get(pattern) === had?.get(pattern));
}

/**
 * The edit of main's file for a rollback, from main's text and the text of the commit to roll back to. It changes only the
 * rollback's buckets (rules 2.2).
 */
export function proposeRollback(
  buckets: readonly string[],
  headText: string | undefined,
  oldText: string | undefined,
): RollbackProposal {
  if (headText === undefined) return { kind: "impossible", why: { code: "NoFileOnMain" } };
  if (oldText === undefined) return { kind: "impossible", why: { code: "NoFileBefore" } };
  if (isRolledBack(buckets, headText, oldText)) return { kind: "said" };
  const edited = editRollback(headText, oldText, buckets);
  return edited.ok ? { kind: "edit", text: edited.text } : { kind: "impossible", why: edited.why };
}

/** Whether the whole older file could be restored: its other buckets are the same as main's. */
export function isWholeFile(
  buckets: readonly string[],
  headText: string | undefined,
  oldText: string | undefined,
): boolean {
  const [has, had] = readBoth(headText, oldText) ?? [];
  if (has === undefined || had === undefined) return false;
  const others = [...has.keys(), ...had.keys()].filter((pattern) => !buckets.includes(pattern));
  return others.every((pattern) => has.get(pattern) === had.get(pattern));
}

/**
 * Whether the rollback sets every namespace back, also in clusters that are not seen. Where buckets were added or removed
 * since, namespaces change buckets, so the whole file has to be restored; a new seed assigns all namespaces again.
 */
export function setsAllBack(buckets: readonly string[], head: Spec, old: Spec): boolean {
  const [has, had] = [head, old].map(({ rollouts }) => printDistributions(rollouts));
  if (has === undefined || had === undefined || head.settings.seed !== old.settings.seed) return false;
  const patterns = [...new Set([...has.keys(), ...had.keys()])];
  const isSameShape = patterns.every((pattern) => has.has(pattern) && had.has(pattern));
  const isWhole = patterns.every((pattern) => buckets.includes(pattern) || has.get(pattern) === had.get(pattern));
  return isSameShape || isWhole;
}

/** The wait for a person who makes the edit by hand; without `why`, because there is no GitHub to open a pull request. */
export function waitForHand(
  { stop, run, to, branch }: RequestedRollback,
  buckets: readonly string[],
  isWhole: boolean,
  why?: RollbackEditRefusal,
): Extract<Decision, { kind: "wait" }> {
  const rollback = { run: run.id, who: stop.who, buckets, to, branch, path: rolloutsPath };
  const reason = { code: "RollbackByHand", ...rollback, isWholeFile: isWhole } as const;
  return { kind: "wait", scope: `run/${run.id}`, reason: why === undefined ? reason : { ...reason, why } };
}
