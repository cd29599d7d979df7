import type { BatchJob } from "#libs/events";
import {
  isBatched,
  isConfirmed,
  type JobFacts,
  type JobItem,
  nameWorkload,
  permitJob,
  permitPatch,
  planPatch,
  type JudgedWorkload,
} from "#libs/plan";
import { printText, type Reason, renderReason } from "#libs/wording";
import type { WriteOutcome } from "#libs/kube";
import type { HeldBatch } from "#libs/queue";
import type { Logger } from "#libs/runtime";

import { takeSnapshot, type Lookout, type Surroundings } from "./take-snapshot.ts";
import { sendWrite } from "../writes/send-write.ts";
import type { Teller } from "../messages/tell.ts";

/** How the executor carries a batch out. */
export interface Mover {
  readonly surroundings: Surroundings;
  /** Resolves when the cluster, main or control changed, or after a second: what was waited for may be there. */
  readonly waitForChange: (signal: AbortSignal) => Promise<void>;
  readonly tell: Teller;
  /** Namespaces in which moves forward were refused since one was written; of all batches. */
  readonly refusedIn: Set<string>;
  readonly log: Logger;
}

function describeJob({ hasJob }: Lookout, held: HeldBatch<BatchJob>): JobFacts {
  const { run, commit, clusterUid } = held.job;
  return { run, commit, clusterUid, isContained: hasJob, holdsLock: held.holdsLock() && !held.signal.aborted };
}

/**
 * Another run brings back what is broken or still rolls: that waits for nothing, so neither for this batch, which may wait
 * for slow pods until `readinessTimeout` (rules 2.3). What it moved is watched without it; what is left is handed out again.
 */
function mustMakeRoom({ snapshot, judged }: Lookout, { run }: BatchJob, what: "all" | "urgent"): boolean {
  if (snapshot.control === "stale" || !snapshot.cluster.fresh) return false;
  const only = what === "urgent" ? { only: what } : {};
  const others = Object.keys(snapshot.ledger?.runs ?? {}).filter((id) => id !== run);
  return others.some((id) => judged.count({ run: id, is: "rollback", ...only }) > 0);
}

/** A batch in hand, and what the API server refused of it so far. */
interface Hand {
  readonly held: HeldBatch<BatchJob>;
  readonly refusals: string[];
  /** What it waits for, and since when, real monotonic ms. */
  wait?: { readonly code: Reason["code"]; readonly since: number } | undefined;
}

/** A wait that lasts longer is named, real ms: most are over before anyone could read of them. */
const namedAfterMs = 5_000;

/**
 * What the batch waits for, where this executor alone knows it: to the planner it is just in progress. A full batch is not named,
 * for what fills it is listed as restarting.
 */
function describeWait({ snapshot }: Lookout, job: JobFacts, reason: Reason): string | undefined {
  if (reason.code === "DelayBetweenBatches") return `until ${reason.until}`;
  return permitJob(snapshot, job).kind === "wait" ? printText(renderReason(reason).message) : undefined;
}

/** Tells the status of a wait that lasts. */
function nameWait({ surroundings }: Mover, hand: Hand, code: Reason["code"], what: string): void {
  const { troubles, clock } = surroundings;
  const now = clock.monotonic();
  if (hand.wait?.code !== code) hand.wait = { code, since: now };
  const isLasting = code === "DelayBetweenBatches" || now - hand.wait.since >= namedAfterMs;
  if (isLasting) troubles.put("batch", `${code}: a batch of run ${hand.held.job.run} waits: ${what}`);
}

/** Whether a wait of the batch is given up. */
function noteWait(mover: Mover, seen: Lookout, hand: Hand, reason: Reason): "wait" | "over" {
  // What waits for a delay or for git may wait for long: all that is rolled back goes first.
  const isLong = reason.code === "DelayBetweenBatches" || !isConfirmed(seen.snapshot);
  if (mustMakeRoom(seen, hand.held.job, isLong ? "all" : "urgent")) return "over";
  const what = describeWait(seen, describeJob(seen, hand.held), reason);
  if (what === undefined) endWait(mover, hand);
  else nameWait(mover, hand, reason.code, what);
  return "wait";
}

/** Nothing is waited for any more. */
function endWait({ surroundings }: Mover, hand: Hand): void {
  hand.wait = undefined;
  surroundings.troubles.clear("batch");
}

type Step = "next" | "again" | "over";

/** Where so many namespaces in a row are refused, it is the login or the server, and no object: their batch breaks, which stops the cluster. */
const everythingFrom = 3;

/**
 * Forward it is this workload's failure, as its facts say from now on. Nothing may hold a rollback (rules 2.3): the rest of its batch is
 * rolled back first, and then the batch says what it could not do.
 */
function noteRefusal(mover: Mover, { held, refusals }: Hand, state: JudgedWorkload, said: string): void {
  const { refusedIn, surroundings, tell, log } = mover;
  const { key, workload, rollbackSince } = state;
  const why = `the API server of ${surroundings.cluster.name} refused to change ${key}: ${said}`;
  if (rollbackSince !== undefined) {
    refusals.push(why);
    return;
  }
  log.info({ run: held.job.run, workload: key, why: said }, "refused");
  tell("workloadFailed", state, held.job.run, { code: "WriteRefused", reason: why, reverted: false });
  refusedIn.add(workload.namespace);
  if (refusedIn.size < everythingFrom) return;
  refusedIn.clear();
  throw new Error(why);
}

/** A webhook that is away is not asked more often, real ms. */
const webhookPauseMs = 5_000;

/** Nothing is known of the write, or it was decided on what is not true any more: it is decided again on what comes. */
async function lookAgain(mover: Mover, hand: Hand, item: JobItem, outcome: WriteOutcome): Promise<Step> {
  const { surroundings, log, waitForChange } = mover;
  const { signal } = hand.held;
  log.info({ workload: nameWorkload(item), outcome }, "not written: looking again");
  if (outcome.kind === "unavailable" && outcome.byWebhook === true)
    await surroundings.clock.sleepReal(webhookPauseMs, signal).catch(() => undefined);
  await waitForChange(signal);
  return "again";
}

/** What is to be written for a workload of the batch; undefined where nothing is. */
function planItem({ log }: Mover, { held }: Hand, item: JobItem, seen: Lookout) {
  const state = seen.judged.find(nameWorkload(item));
  if (state?.state.kind !== "pending") return undefined;
  // How it is moved follows from its state: a job that says otherwise was made by another program.
  const { attempt, unhealthyBefore } = state.state;
  const order = { run: held.job.run, attempt, unhealthyBefore };
  const write = planPatch(state, order, seen.snapshot.cluster.facts);
  if (write.kind === "write") return { state, write };
  log.info({ workload: nameWorkload(item), why: write.why }, "nothing to write");
  return undefined;
}

/** One write for one workload; what the API server answers decides whether it is decided again. */
async function patch(mover: Mover, hand: Hand, item: JobItem, seen: Lookout): Promise<Step> {
  const { cluster, pending, pace } = mover.surroundings;
  const planned = planItem(mover, hand, item, seen);
  if (planned === undefined) return "next";
  const { state, write } = planned;
  const { run } = hand.held.job;
  const outcome = await sendWrite(cluster, item, write);
  switch (outcome.kind) {
    case "written":
      if (state.rollbackSince === undefined) mover.refusedIn.clear();
      if (write.object === "namespace") return "again";
      pending.add(item, outcome.resourceVersion);
      pace.note(nameWorkload(item));
      mover.tell("workloadMoved", state, run);
      return "next";
    case "conflict":
    case "unavailable":
      return lookAgain(mover, hand, item, outcome);
    case "gone":
      return "next";
    case "refused":
      noteRefusal(mover, hand, state, outcome.why);
      return "next";
  }
}

/** A proof that is older is made again before a patch, real ms: one dry run serves all that is patched meanwhile. */
const proofMs = 5_000;

/** One reconcile and at most one write for a workload of the batch. */
async function moveOnce(mover: Mover, hand: Hand, item: JobItem): Promise<Step> {
  const { held } = hand;
  await mover.surroundings.cluster.proveInjection([item.target], proofMs);
  const seen = await takeSnapshot(mover.surroundings, held.job.run);
  const job = describeJob(seen, held);
  const permit = permitPatch(seen.snapshot, job, item, seen.judged.find(nameWorkload(item)));
  switch (permit.kind) {
    case "go":
      endWait(mover, hand);
      return patch(mover, hand, item, seen);
    case "wait":
      if (noteWait(mover, seen, hand, permit.reason) === "over") return "over";
      await mover.waitForChange(held.signal);
      return "again";
    case "skip":
      mover.log.info({ workload: nameWorkload(item), reason: renderReason(permit.reason) }, "skipped");
      return "next";
    case "end":
      mover.log.info({ run: job.run, reason: renderReason(permit.reason) }, "the batch ends");
      return "over";
  }
}

/** This workload of the batch still rolls and keeps its place (rules 4.7), and head still demands it of this run. */
function isAwaited({ snapshot, judged }: Lookout, { run }: BatchJob, item: JobItem): boolean {
  const key = nameWorkload(item);
  const state = judged.find(key);
  return (
    snapshot.rolling.has(key) && !snapshot.stalled.has(key) && state?.desired === item.target && state.run?.id === run
  );
}

/**
 * With strategy `Batched` waits until nothing of this batch takes a place any more; over at once when a stop holds it or head
 * demands it no longer (rules 4.1).
 */
async function waitUntilSettled(mover: Mover, held: HeldBatch<BatchJob>): Promise<void> {
  for (;;) {
    const seen = await takeSnapshot(mover.surroundings, held.job.run);
    const { snapshot } = seen;
    if (!isBatched(snapshot, held.job) || !held.job.items.some((item) => isAwaited(seen, held.job, item))) return;
    const permit = permitJob(snapshot, describeJob(seen, held));
    if (permit.kind === "end" || mustMakeRoom(seen, held.job, "urgent")) return;
    await mover.waitForChange(held.signal);
  }
}

/** The first of them; a cluster that refuses everything must not fill the queue with sentences. */
function describeRefusals([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first}; and ${others.length} more of this batch`;
}

/**
 * Carries one batch out: before each patch everything is read again, whatever the job says. Strategy `Window` ends
 * when its last workload is patched (what rolls is counted by the next job); `Batched` when all have settled.
 */
export async function moveBatch(mover: Mover, held: HeldBatch<BatchJob>): Promise<void> {
  try {
    await carryOut(mover, held);
  } finally {
    mover.surroundings.troubles.clear("batch");
  }
}

async function carryOut(mover: Mover, held: HeldBatch<BatchJob>): Promise<void> {
  const hand: Hand = { held, refusals: [] };
  for (const item of held.job.items) {
    let step: Step = "again";
    while (step === "again") step = await moveOnce(mover, hand, item);
    if (step === "over") return;
  }
  if (hand.refusals.length > 0) throw new Error(describeRefusals(hand.refusals));
  await waitUntilSettled(mover, held);
}
