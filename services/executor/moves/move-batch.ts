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

import { takeSnapshot, type Lookout } from "./take-snapshot.ts";
import { sendWrite } from "../writes/send-write.ts";
import { chooseNext } from "./choose-next.ts";
import { describeJob, endWait, type Hand, isGivenUp, type Mover, mustMakeRoom, tellWait } from "./hold-job.ts";

type Step = "next" | "again" | "over";

/** A job in hand, and the batch that was chosen for it. */
interface Order extends Hand {
  readonly batch: Batch;
}

/** So many namespaces refused in a row: it is the login or the server, and no object. Their batch breaks, which stops the cluster. */
const everythingFrom = 3;

/**
 * Forward it is this workload's failure, as its facts say from now on. Nothing may hold a rollback (rules 2.3): the rest of its batch is
 * rolled back first, and then the batch says what it could not do.
 */
function noteRefusal(mover: Mover, { batch, refusals }: Order, state: JudgedWorkload, said: string): void {
  const { refusedIn, surroundings, tell, log } = mover;
  const { key, workload, rollbackSince } = state;
  const why = `the API server of ${surroundings.cluster.name} refused to change ${key}: ${said}`;
  if (rollbackSince !== undefined) {
    mover.refusals.note(key, surroundings.clock.monotonic());
    refusals.push(why);
    return;
  }
  log.info({ run: batch.run, workload: key, why: said }, "refused");
  tell("workloadFailed", state, batch.run, { code: "WriteRefused", reason: why, reverted: false });
  refusedIn.add(workload.namespace);
  if (refusedIn.size < everythingFrom) return;
  refusedIn.clear();
  throw new Error(why);
}

/** A webhook that is away is not asked more often, real ms. */
const webhookPauseMs = 5_000;

async function pauseForWebhook({ surroundings }: Mover, signal: AbortSignal): Promise<void> {
  await surroundings.clock.sleepReal(webhookPauseMs, signal).catch(() => undefined);
}

/** One write for one workload; what the API server answers decides whether it is decided again. */
async function patch(mover: Mover, order: Order, item: BatchItem, seen: Lookout): Promise<Step> {
  const { cluster } = mover.surroundings;
  const state = seen.judged.find(nameWorkload(item));
  if (state === undefined) return "next";
  if (state.state.kind !== "pending") return "next";
  // How it is moved follows from its state now.
  const { attempt, unhealthyBefore } = state.state;
  const { run } = order.batch;
  const write = planPatch(state, { run, attempt, unhealthyBefore }, seen.snapshot.cluster.facts);
  if (write.kind === "none") {
    mover.log.info({ workload: nameWorkload(item), why: write.why }, "nothing to write");
    return "next";
  }
  const outcome = await sendWrite(cluster, item, write);
  return follow(mover, order, { item, state, object: write.object }, outcome);
}

/** What was written, or was to be. */
interface Sent {
  readonly item: BatchItem;
  readonly state: JudgedWorkload;
  readonly object: "namespace" | "workload";
}

async function follow(mover: Mover, order: Order, { item, state, object }: Sent, outcome: WriteOutcome): Promise<Step> {
  const { pending, pace } = mover.surroundings;
  const { signal } = order.held;
  switch (outcome.kind) {
    case "written":
      if (state.rollbackSince === undefined) mover.refusedIn.clear();
      else mover.refusals.clear(state.key);
      if (object === "namespace") return "again";
      pending.add(item, outcome.resourceVersion);
      pace.note(nameWorkload(item));
      mover.tell("workloadMoved", state, order.batch.run);
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
      noteRefusal(mover, order, state, outcome.why);
      return "next";
  }
}

/** A proof that is older is made again before a patch, real ms: one dry run serves all that is patched meanwhile. */
const proofMs = 5_000;

/** One reconcile and at most one write for a workload of the batch. */
async function moveOnce(mover: Mover, order: Order, item: BatchItem): Promise<Step> {
  const { held, batch } = order;
  await mover.surroundings.cluster.proveInjection([item.target], proofMs);
  const seen = await takeSnapshot(mover.surroundings, batch.run);
  const job = describeJob(seen, held, batch.run);
  const permit = permitPatch(seen.snapshot, job, item, seen.judged.find(nameWorkload(item)));
  switch (permit.kind) {
    case "go":
      endWait(mover, order);
      return patch(mover, order, item, seen);
    case "wait":
      if (isGivenUp(seen, batch.run, permit.reason)) return "over";
      tellWait(mover, seen, order, permit.reason);
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
function isAwaited({ snapshot, judged }: Lookout, { run }: Batch, item: BatchItem): boolean {
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
async function waitUntilSettled(mover: Mover, { held, batch }: Order): Promise<void> {
  for (;;) {
    const seen = await takeSnapshot(mover.surroundings, batch.run);
    const { snapshot } = seen;
    if (!isBatched(snapshot, batch) || !batch.items.some((item) => isAwaited(seen, batch, item))) return;
    const permit = permitJob(snapshot, describeJob(seen, held, batch.run));
    if (permit.kind === "end" || mustMakeRoom(seen, batch.run, "urgent")) return;
    await mover.waitForChange(held.signal);
  }
}

/** The first of them; a cluster that refuses everything must not fill the queue with sentences. */
function describeRefusals([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first}; and ${others.length} more of this batch`;
}

/**
 * Carries one job out: chooses a batch, and before each patch reads everything again. Strategy `Window` ends when its last workload
 * is patched (what rolls is counted by the next job); `Batched` when all have settled.
 */
export async function moveBatch(mover: Mover, held: HeldBatch<BatchJob>): Promise<void> {
  try {
    const hand: Hand = { held, refusals: [] };
    const batch = await chooseNext(mover, hand);
    if (batch !== undefined) await carryOut(mover, { ...hand, batch });
  } finally {
    mover.surroundings.troubles.clear("batch");
  }
}

async function carryOut(mover: Mover, order: Order): Promise<void> {
  for (const item of order.batch.items) {
    let step: Step = "again";
    while (step === "again") step = await moveOnce(mover, order, item);
    if (step === "over") return;
  }
  if (order.refusals.length > 0) throw new Error(describeRefusals(order.refusals));
  await waitUntilSettled(mover, order);
}
