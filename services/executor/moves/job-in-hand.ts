import type { BatchJob } from "#libs/events";
import { isConfirmed, type JobFacts, permitJob } from "#libs/plan";
import { printText, type Reason, renderReason } from "#libs/wording";
import type { HeldBatch } from "#libs/queue";
import type { Logger } from "#libs/runtime";

import type { Report } from "../messages/report-to-bus.ts";
import type { Refusals } from "../writes/refusals.ts";
import type { JudgedSnapshot, Surroundings } from "./take-snapshot.ts";

/** What a job is carried out with; one for each cluster. */
export interface Mover {
  readonly surroundings: Surroundings;
  /** Resolves when the cluster, main or control changed, at the latest after a second. */
  readonly waitForChange: (signal: AbortSignal) => Promise<void>;
  readonly report: Report;
  /** Namespaces in which the API server refused a move forward since the last one that it accepted; over all batches. */
  readonly refusedIn: Set<string>;
  /** Workloads whose rollback was refused lately; over all batches. */
  readonly refusals: Refusals;
  readonly log: Logger;
}

/** A job that this executor carries out, and what the API server has refused of it. */
export interface JobInHand {
  readonly held: HeldBatch<BatchJob>;
  readonly refusals: string[];
  /** What it waits for, and since when, real monotonic ms. */
  wait?: { readonly code: Reason["code"]; readonly since: number } | undefined;
}

/** The job as permits judge it, for one of the runs that it may move. */
export function describeJob({ hasRunCommit }: JudgedSnapshot, held: HeldBatch<BatchJob>, run: string): JobFacts {
  const { clusterUid } = held.job;
  return { run, clusterUid, isContained: hasRunCommit, holdsLock: held.holdsLock() && !held.signal.aborted };
}

/** The other runs that roll back workloads in this cluster. */
export function listOtherRollbacks(
  { snapshot, judged }: JudgedSnapshot,
  run: string,
  only: "all" | "urgent",
): readonly string[] {
  const part = only === "urgent" ? { only } : {};
  const others = Object.keys(snapshot.ledger?.runs ?? {}).filter((id) => id !== run);
  return others.filter((id) => judged.count({ run: id, is: "rollback", ...part }) > 0);
}

/**
 * Whether this batch must end because another run rolls back here. A rollback of broken or rolling workloads waits for nothing
 * (rules 2.3), and a batch may wait for slow pods until `readinessTimeout`. What the batch has moved is still watched; the rest
 * is handed out again.
 */
export function mustMakeRoom(seen: JudgedSnapshot, run: string, what: "all" | "urgent"): boolean {
  const { control, cluster } = seen.snapshot;
  return control !== "stale" && cluster.fresh && listOtherRollbacks(seen, run, what).length > 0;
}

/** A wait is shown in status when it lasts longer, real ms. */
const namedAfterMs = 5_000;

/** Not shown as a wait: status already lists the workloads that fill the batch as restarting. */
const shownOtherwise: readonly Reason["code"][] = ["BatchFull", "BatchSettling"];

/** What the batch waits for, where only this executor knows it; undefined where the planner shows the reason itself. */
function describeWait(seen: JudgedSnapshot, { held }: JobInHand, reason: Reason): string | undefined {
  if (reason.code === "DelayBetweenBatches") return `until ${reason.until}`;
  const isOfJob = permitJob(seen.snapshot, describeJob(seen, held, held.job.run)).kind === "wait";
  return !isOfJob && shownOtherwise.includes(reason.code) ? undefined : printText(renderReason(reason).message);
}

/** Puts a wait that lasts among the cluster's problems. */
export function reportWait(mover: Mover, seen: JudgedSnapshot, inHand: JobInHand, reason: Reason): void {
  const { troubles, clock } = mover.surroundings;
  const what = describeWait(seen, inHand, reason);
  if (what === undefined) return clearWait(mover, inHand);
  const now = clock.monotonic();
  const { code } = reason;
  if (inHand.wait?.code !== code) inHand.wait = { code, since: now };
  const isLasting = code === "DelayBetweenBatches" || now - inHand.wait.since >= namedAfterMs;
  if (isLasting) troubles.put("batch", `${code}: a batch of run ${inHand.held.job.run} waits: ${what}`);
}

/**
 * Whether the batch ends instead of waiting on. A wait for the delay or for git may be long, so any rollback of another run
 * ends it; other waits end only for an urgent one.
 */
export function isGivenUp(seen: JudgedSnapshot, run: string, reason: Reason): boolean {
  const isLong = reason.code === "DelayBetweenBatches" || !isConfirmed(seen.snapshot);
  return mustMakeRoom(seen, run, isLong ? "all" : "urgent");
}

/** The wait is over: its problem is cleared. */
export function clearWait({ surroundings }: Mover, inHand: JobInHand): void {
  inHand.wait = undefined;
  surroundings.troubles.clear("batch");
}
