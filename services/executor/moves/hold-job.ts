import type { BatchJob } from "#libs/events";
import { isConfirmed, type JobFacts, permitJob } from "#libs/plan";
import { printText, type Reason, renderReason } from "#libs/wording";
import type { HeldBatch } from "#libs/queue";
import type { Logger } from "#libs/runtime";

import type { Teller } from "../messages/tell.ts";
import type { Refusals } from "../writes/refusals.ts";
import type { Lookout, Surroundings } from "./take-snapshot.ts";

/** How the executor carries a job out. */
export interface Mover {
  readonly surroundings: Surroundings;
  /** Resolves when the cluster, main or control changed, or after a second: what was waited for may be there. */
  readonly waitForChange: (signal: AbortSignal) => Promise<void>;
  readonly tell: Teller;
  /** Namespaces in which moves forward were refused since one was written; of all batches. */
  readonly refusedIn: Set<string>;
  /** Workloads whose rollback was refused of late; of all batches. */
  readonly refusals: Refusals;
  readonly log: Logger;
}

/** A job in hand, and what the API server refused of it so far. */
export interface Hand {
  readonly held: HeldBatch<BatchJob>;
  readonly refusals: string[];
  /** What it waits for, and since when, real monotonic ms. */
  wait?: { readonly code: Reason["code"]; readonly since: number } | undefined;
}

/** The job as a permit looks at it, for a run that it may move. */
export function describeJob({ hasJob }: Lookout, held: HeldBatch<BatchJob>, run: string): JobFacts {
  const { clusterUid } = held.job;
  return { run, clusterUid, isContained: hasJob, holdsLock: held.holdsLock() && !held.signal.aborted };
}

/** What else is rolled back here: runs with such workloads, but for this one. */
export function listOtherRollbacks(
  { snapshot, judged }: Lookout,
  run: string,
  only: "all" | "urgent",
): readonly string[] {
  const part = only === "urgent" ? { only } : {};
  const others = Object.keys(snapshot.ledger?.runs ?? {}).filter((id) => id !== run);
  return others.filter((id) => judged.count({ run: id, is: "rollback", ...part }) > 0);
}

/**
 * Another run brings back what is broken or still rolls: that waits for nothing, so neither for this batch, which may wait
 * for slow pods until `readinessTimeout` (rules 2.3). What it moved is watched without it; what is left is handed out again.
 */
export function mustMakeRoom(seen: Lookout, run: string, what: "all" | "urgent"): boolean {
  const { control, cluster } = seen.snapshot;
  return control !== "stale" && cluster.fresh && listOtherRollbacks(seen, run, what).length > 0;
}

/** A wait that lasts longer is named, real ms: most are over before anyone could read of them. */
const namedAfterMs = 5_000;

/** What fills a batch is listed as restarting. */
const shownOtherwise: readonly Reason["code"][] = ["BatchFull", "BatchSettling"];

/** What the batch waits for, where this executor alone knows it: to the planner it is just in progress. */
function describeWait(seen: Lookout, { held }: Hand, reason: Reason): string | undefined {
  if (reason.code === "DelayBetweenBatches") return `until ${reason.until}`;
  const isOfJob = permitJob(seen.snapshot, describeJob(seen, held, held.job.run)).kind === "wait";
  return !isOfJob && shownOtherwise.includes(reason.code) ? undefined : printText(renderReason(reason).message);
}

/** Tells the status of a wait that lasts. */
export function tellWait(mover: Mover, seen: Lookout, hand: Hand, reason: Reason): void {
  const { troubles, clock } = mover.surroundings;
  const what = describeWait(seen, hand, reason);
  if (what === undefined) return endWait(mover, hand);
  const now = clock.monotonic();
  const { code } = reason;
  if (hand.wait?.code !== code) hand.wait = { code, since: now };
  const isLasting = code === "DelayBetweenBatches" || now - hand.wait.since >= namedAfterMs;
  if (isLasting) troubles.put("batch", `${code}: a batch of run ${hand.held.job.run} waits: ${what}`);
}

/** Whether a wait of the batch is given up. What waits for a delay or for git may wait for long: all that is rolled back goes first. */
export function isGivenUp(seen: Lookout, run: string, reason: Reason): boolean {
  const isLong = reason.code === "DelayBetweenBatches" || !isConfirmed(seen.snapshot);
  return mustMakeRoom(seen, run, isLong ? "all" : "urgent");
}

/** Nothing is waited for any more. */
export function endWait({ surroundings }: Mover, hand: Hand): void {
  hand.wait = undefined;
  surroundings.troubles.clear("batch");
}
