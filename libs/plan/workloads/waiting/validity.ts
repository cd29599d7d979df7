import { annotationKeys } from "#libs/fleet";
import type { WaitingReason } from "#libs/wording";
import { nameInFleet, parseTime } from "../../records/index.ts";
import type { ClusterContext } from "../ownership.ts";
import { findReadinessTimeout } from "../sail-annotations.ts";
import type { JudgedWorkload } from "../workload-state.ts";
import { isEndless } from "./endless.ts";

/** When a judgement holds: always, within some time, or while the same workloads wait. */
export interface Validity {
  readonly from: number;
  readonly until: number;
  readonly waits: ReadonlyMap<string, number> | undefined;
}

export const always: Validity = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, waits: undefined };

/** Both must hold. */
export function intersect(a: Validity, b: Validity): Validity {
  if (a === always) return b;
  if (b === always) return a;
  return { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until), waits: a.waits ?? b.waits };
}

function isSameWait(a: ReadonlyMap<string, number> | undefined, b: ReadonlyMap<string, number>): boolean {
  return a === undefined || a === b || (a.size === 0 && b.size === 0);
}

/** Whether an earlier judgement holds for this question, too. */
export function isValid({ from, until, waits }: Validity, { now, waitingSince }: ClusterContext): boolean {
  return from <= now && now <= until && isSameWait(waits, waitingSince);
}

/** An exclusion ends at its date. A workload that waited too long stays skipped. */
function limitSkipped(
  until: number | undefined,
  now: number,
  since: number | undefined,
  waits: ReadonlyMap<string, number>,
): Validity | undefined {
  if (until !== undefined) return { from: now, until: until - 1, waits: undefined };
  return since === undefined ? undefined : { ...always, from: now, waits };
}

/** Only workloads that wait, or waited, for their owner are looked up, because making the name costs more than the rest. */
function findSince(each: JudgedWorkload, waitingSince: ReadonlyMap<string, number>): number | undefined {
  const { kind } = each.state;
  return kind === "waiting" || kind === "skipped" ? waitingSince.get(nameInFleet(each.cluster, each.key)) : undefined;
}

/** A wait ends at its deadline, or after `readinessTimeout`; at that time itself it is over. */
function limitWaiting(
  each: JudgedWorkload,
  reason: WaitingReason,
  { now, head, waitingSince }: ClusterContext,
  since: number | undefined,
): Validity {
  if (reason.code === "AwaitsDeploy") return { from: now, until: parseTime(reason.until) - 1, waits: undefined };
  const end = since === undefined ? Number.POSITIVE_INFINITY : since + findReadinessTimeout(each, head, each.run);
  return { from: now, until: end - 1, waits: waitingSince };
}

/**
 * Most judgements rest on objects and files alone. A wait for an owner ends after `readinessTimeout`, and so does the time
 * that an undo gets: those are true for a while.
 */
export function limitValidity(each: JudgedWorkload, context: ClusterContext): Validity {
  const { state } = each;
  const { now, waitingSince } = context;
  // Rare, and over soon: judged again at each reconcile.
  if (each.rolling && state.kind !== "migrating") return { from: now, until: now, waits: undefined };
  const since = findSince(each, waitingSince);
  if (state.kind === "waiting" && !isEndless(state.reason)) return limitWaiting(each, state.reason, context, since);
  const limited = state.kind === "skipped" ? limitSkipped(state.until, now, since, waitingSince) : undefined;
  if (limited !== undefined) return limited;
  return annotationKeys.failed in each.workload.annotations ? { ...always, from: now } : always;
}
