import {
  type Batch,
  type BatchItem,
  isBatched,
  nameWorkload,
  permitJob,
  permitPatch,
  planPatch,
  type JudgedWorkload,
} from "#libs/plan";
import type { BatchJob } from "#libs/events";
import type { WriteOutcome } from "#libs/kube";
import { renderReason } from "#libs/wording";
import type { HeldBatch } from "#libs/queue";

import { takeSnapshot, type JudgedSnapshot } from "./take-snapshot.ts";
import { sendWrite } from "../writes/send-write.ts";
import { chooseNext, noteBegin } from "./choose-next.ts";
import {
  describeJob,
  clearWait,
  type JobInHand,
  isGivenUp,
  type Mover,
  mustMakeRoom,
  reportWait,
} from "./job-in-hand.ts";

type Step = "next" | "again" | "over";

/** A job in hand, with the batch that was chosen for it. */
interface BatchInHand extends JobInHand {
  readonly batch: Batch;
}

/**
 * When moves are refused in this many namespaces in a row, the login or the server is at fault: the batch fails, which stops
 * the cluster.
 */
const refusedNamespacesLimit = 3;

/**
 * A refused move forward is reported as a failure of the workload. A refused rollback does not end the batch, since nothing may
 * hold a rollback (rules 2.3): the others are rolled back first, then the batch fails with these refusals.
 */
function noteRefusal(mover: Mover, { batch, refusals }: BatchInHand, judged: JudgedWorkload, said: string): void {
  const { refusedIn, surroundings, report, log } = mover;
  const { key, workload, rollbackSince } = judged;
  const why = `the API server of ${surroundings.cluster.name} refused to change ${key}: ${said}`;
  if (rollbackSince !== undefined) {
    mover.refusals.note(key, surroundings.clock.monotonic());
    refusals.push(why);
    return;
  }
  log.info({ run: batch.run, workload: key, why: said }, "refused");
  report("workloadFailed", judged, batch.run, { code: "WriteRefused", reason: why, reverted: false });
  refusedIn.add(workload.namespace);
  if (refusedIn.size < refusedNamespacesLimit) return;
  refusedIn.clear();
  throw new Error(why);
}

/** Pause after a webhook did not answer, real ms. */
const webhookPauseMs = 5_000;

async function pauseForWebhook({ surroundings }: Mover, signal: AbortSignal): Promise<void> {
  await surroundings.clock.sleepReal(webhookPauseMs, signal).catch(() => undefined);
}

/** Plans and sends one write for one workload, and follows the outcome. */
async function patch(mover: Mover, inHand: BatchInHand, item: BatchItem, seen: JudgedSnapshot): Promise<Step> {
  const { cluster } = mover.surroundings;
  const judged = seen.judged.find(nameWorkload(item));
  if (judged?.state.kind !== "pending") return "next";
  // Its state may have changed since the batch was chosen, so the write is planned from the newest.
  const { attempt, unhealthyBefore } = judged.state;
  const { run } = inHand.batch;
  const write = planPatch(judged, { run, attempt, unhealthyBefore }, seen.snapshot.cluster.facts);
  if (write.kind === "none") {
    mover.log.info({ workload: nameWorkload(item), why: write.why }, "nothing to write");
    return "next";
  }
  const outcome = await sendWrite(cluster, item, write);
  return follow(mover, inHand, { item, judged, object: write.object }, outcome);
}

/** What was sent, and what it changes. */
interface Sent {
  readonly item: BatchItem;
  readonly judged: JudgedWorkload;
  readonly object: "namespace" | "workload";
}

async function follow(
  mover: Mover,
  inHand: BatchInHand,
  { item, judged, object }: Sent,
  outcome: WriteOutcome,
): Promise<Step> {
  const { pending, pace } = mover.surroundings;
  const { signal } = inHand.held;
  switch (outcome.kind) {
    case "written":
      if (judged.rollbackSince === undefined) mover.refusedIn.clear();
      else mover.refusals.clear(judged.key);
      if (object === "namespace") return "again";
      pending.add(item, outcome.resourceVersion);
      pace.note(nameWorkload(item));
      mover.report("workloadMoved", judged, inHand.batch.run);
      return "next";
    case "conflict":
    case "unavailable":
      mover.log.info({ workload: nameWorkload(item), outcome }, "not written: looking again");
      if (outcome.kind === "unavailable" && outcome.byWebhook) await pauseForWebhook(mover, signal);
      await mover.waitForChange(signal);
      return "again";
    case "gone":
      return "next";
    case "refused":
      noteRefusal(mover, inHand, judged, outcome.why);
      return "next";
  }
}

/** An older proof of injection is repeated before a patch, real ms; one dry run serves all patches within this time. */
const proofMs = 5_000;

/** One snapshot and at most one write for a workload of the batch. */
async function moveOnce(mover: Mover, inHand: BatchInHand, item: BatchItem): Promise<Step> {
  const { held, batch } = inHand;
  await mover.surroundings.cluster.proveInjection([item.target], proofMs);
  const seen = await takeSnapshot(mover.surroundings, batch.run);
  const job = describeJob(seen, held, batch.run);
  const permit = permitPatch(seen.snapshot, job, item, seen.judged.find(nameWorkload(item)));
  switch (permit.kind) {
    case "go":
      clearWait(mover, inHand);
      return patch(mover, inHand, item, seen);
    case "wait":
      if (isGivenUp(seen, batch.run, permit.reason)) return "over";
      reportWait(mover, seen, inHand, permit.reason);
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

/** The workload still rolls, keeps its place in the batch (rules 4.7), and main still demands this revision for this run. */
function isAwaited({ snapshot, judged }: JudgedSnapshot, { run }: Batch, item: BatchItem): boolean {
  const key = nameWorkload(item);
  const each = judged.find(key);
  return (
    snapshot.rolling.has(key) && !snapshot.stalled.has(key) && each?.desired === item.target && each.run?.id === run
  );
}

/**
 * Strategy `Batched` only: waits until no workload of the batch takes a place any more. Returns at once when the job has ended
 * or an urgent rollback of another run needs the cluster (rules 2.3, 4.1).
 */
async function waitUntilSettled(mover: Mover, { held, batch }: BatchInHand): Promise<void> {
  for (;;) {
    const seen = await takeSnapshot(mover.surroundings, batch.run);
    const { snapshot } = seen;
    if (!isBatched(snapshot, batch) || !batch.items.some((item) => isAwaited(seen, batch, item))) return;
    const permit = permitJob(snapshot, describeJob(seen, held, batch.run));
    if (permit.kind === "end" || mustMakeRoom(seen, batch.run, "urgent")) return;
    await mover.waitForChange(held.signal);
  }
}

/** The first, and the number of the others: the queue stores the text. */
function describeRefusals([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first}; and ${others.length} more of this batch`;
}

/**
 * Carries one job out: chooses a batch, and takes a new snapshot before each patch. With strategy `Batched` it ends when all have
 * settled. With `Window` it goes on to fill the places that become free, a batch for each, as long as nothing failed and no
 * other run waits for its turn. A forward job that another process began ends at once: a failure among what that one moved may
 * have to stop the run, which the planner decides. No failure stops a rollback (rules 2.3), so a rollback goes on.
 */
export async function moveBatch(mover: Mover, held: HeldBatch<BatchJob>): Promise<void> {
  try {
    const inHand: JobInHand = { held, refusals: [] };
    const isForward = held.job.due !== "rollback";
    if (held.isRetaken && isForward) return;
    const begun = await noteBegin(mover, held.job.run);
    let batch = await chooseNext(mover, inHand);
    while (batch !== undefined) {
      const step = await carryOut(mover, { ...inHand, batch });
      batch = step === "next" && isForward ? await chooseNext(mover, inHand, begun) : undefined;
    }
  } finally {
    mover.surroundings.troubles.clear("batch");
  }
}

/** `over`: the job ends. */
async function carryOut(mover: Mover, inHand: BatchInHand): Promise<"next" | "over"> {
  for (const item of inHand.batch.items) {
    let step: Step = "again";
    while (step === "again") step = await moveOnce(mover, inHand, item);
    if (step === "over") return "over";
  }
  if (inHand.refusals.length > 0) throw new Error(describeRefusals(inHand.refusals));
  await waitUntilSettled(mover, inHand);
  return "next";
}
