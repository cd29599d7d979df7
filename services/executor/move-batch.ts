import type { BatchJob } from "#libs/events";
import { type BatchItem, nameWorkload, permitJob, permitPatch, planPatch, type JobFacts } from "#libs/plan";
import type { HeldBatch } from "#libs/queue";
import type { Logger } from "#libs/runtime";

import { lookAround, type Lookout, type Surroundings } from "./look-around.ts";
import type { Teller } from "./tell.ts";

/** How the executor carries a batch out. */
export interface Mover {
  readonly surroundings: Surroundings;
  /** Resolves when the cluster, main or control changed, or after a second: what was waited for may be there. */
  readonly waitForChange: (signal: AbortSignal) => Promise<void>;
  readonly tell: Teller;
  readonly log: Logger;
}

async function describeJob({ surroundings }: Mover, held: HeldBatch<BatchJob>): Promise<JobFacts> {
  const { run, commit, clusterUid } = held.job;
  const isContained = await surroundings.mainline.contains(commit);
  return { run, commit, clusterUid, isContained, holdsLock: held.holdsLock() && !held.signal.aborted };
}

type Step = "next" | "again" | "over";

/** One write for one workload; what the API server answers decides whether it is decided on anew. */
async function patch(mover: Mover, held: HeldBatch<BatchJob>, item: BatchItem, seen: Lookout): Promise<Step> {
  const { cluster, pending } = mover.surroundings;
  const standing = seen.judged.find(nameWorkload(item));
  if (standing === undefined) return "next";
  const { attempt, unhealthyBefore } = item;
  const order = { run: held.job.run, attempt, unhealthyBefore };
  const write = planPatch(standing, order, seen.world.cluster.facts);
  if (write.kind === "none") {
    mover.log.info({ workload: nameWorkload(item), why: write.why }, "nothing to write");
    return "next";
  }
  const outcome =
    write.object === "namespace"
      ? await cluster.patchNamespace(item.namespace, write.change)
      : await cluster.patchWorkload(item, write.change);
  switch (outcome.kind) {
    case "written":
      if (write.object === "namespace") return "again";
      pending.add(item, outcome.resourceVersion);
      mover.tell("workloadMoved", standing, held.job.run);
      return "next";
    case "conflict":
    case "unavailable":
      mover.log.info({ workload: nameWorkload(item), outcome }, "not written: looking again");
      await mover.waitForChange(held.signal);
      return "again";
    case "gone":
      return "next";
    case "refused":
      throw new Error(`the API server of ${cluster.name} refused to change ${nameWorkload(item)}: ${outcome.why}`);
  }
}

/** One look and at most one write for a workload of the batch. */
async function moveOnce(mover: Mover, held: HeldBatch<BatchJob>, item: BatchItem): Promise<Step> {
  const seen = await lookAround(mover.surroundings);
  const job = await describeJob(mover, held);
  const permit = permitPatch(seen.world, job, item, seen.judged.find(nameWorkload(item)));
  switch (permit.kind) {
    case "go":
      return patch(mover, held, item, seen);
    case "wait":
      await mover.waitForChange(held.signal);
      return "again";
    case "skip":
      mover.log.info({ workload: nameWorkload(item), reason: permit.reason }, "skipped");
      return "next";
    case "end":
      mover.log.info({ run: job.run, reason: permit.reason }, "the batch ends");
      return "over";
  }
}

/** This workload of the batch still rolls, and head still demands it of this run. */
function isAwaited({ world, judged }: Lookout, { run }: BatchJob, item: BatchItem): boolean {
  const key = nameWorkload(item);
  const standing = judged.find(key);
  return world.rolling.has(key) && standing?.desired === item.target && standing.run?.id === run;
}

/** Waits until nothing of this batch rolls any more; over at once when a stop holds it or head demands it no longer (rules 4.1). */
async function waitUntilSettled(mover: Mover, held: HeldBatch<BatchJob>): Promise<void> {
  for (;;) {
    const seen = await lookAround(mover.surroundings);
    const { world } = seen;
    if (!held.job.items.some((item) => isAwaited(seen, held.job, item))) return;
    const permit = permitJob(world, await describeJob(mover, held));
    if (permit.kind === "end") return;
    await mover.waitForChange(held.signal);
  }
}

/**
 * Carries one batch out: before each patch everything is looked at anew, whatever the job says. Strategy `Window` ends
 * when its last workload is patched (what rolls is counted by the next job); `Batched` when all have settled.
 */
export async function moveBatch(mover: Mover, held: HeldBatch<BatchJob>): Promise<void> {
  for (const item of held.job.items) {
    let step: Step = "again";
    while (step === "again") step = await moveOnce(mover, held, item);
    if (step === "over") return;
  }
  if (held.job.strategy === "Batched") await waitUntilSettled(mover, held);
}
