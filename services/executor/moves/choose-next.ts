import type { BatchJob } from "#libs/events";
import { type Batch, chooseForJob, countFailed, type JobBegin, mayContinue, permitJob } from "#libs/plan";
import { type Reason, type ReasonCode, renderReason } from "#libs/wording";

import {
  describeJob,
  clearWait,
  type JobInHand,
  isGivenUp,
  listOtherRollbacks,
  type Mover,
  mustMakeRoom,
  reportWait,
} from "./job-in-hand.ts";
import { type JudgedSnapshot, takeSnapshot } from "./take-snapshot.ts";

/**
 * The job waits for these: they end soon, and if it ended the planner, which judges by older facts, would at once hand out the
 * next job.
 */
const awaited: readonly ReasonCode[] = [
  "BatchFull",
  "BatchSettling",
  "DelayBetweenBatches",
  "MaxUnavailable",
  "WritesRefused",
];

type Verdict =
  | { readonly kind: "batch"; readonly batch: Batch }
  | { readonly kind: "wait" | "end"; readonly reason?: Reason };

/** The batch that one run may move now, or why there is none. */
function judge(mover: Mover, seen: JudgedSnapshot, { held }: JobInHand, run: string): Verdict {
  const { clock } = mover.surroundings;
  const permit = permitJob(seen.snapshot, describeJob(seen, held, run));
  if (permit.kind === "wait") return permit;
  if (permit.kind !== "go") return { kind: "end", reason: permit.reason };
  const choice = chooseForJob(seen.snapshot, { run, due: held.job.due }, mover.refusals.listHeld(clock.monotonic()));
  if (choice.kind === "batch") return choice;
  if (choice.kind === "nothing") return { kind: "end" };
  return { kind: awaited.includes(choice.reason.code) ? "wait" : "end", reason: choice.reason };
}

/**
 * The runs whose workloads the job may move: a rollback also takes those of other runs, since rollbacks do not wait for each
 * other (rules 2.3).
 */
function listRuns(seen: JudgedSnapshot, { run, due }: BatchJob): readonly string[] {
  return due === "rollback" ? [run, ...listOtherRollbacks(seen, run, "all")] : [run];
}

async function judgeAll(mover: Mover, first: JudgedSnapshot, inHand: JobInHand): Promise<Verdict> {
  const { job } = inHand.held;
  let verdict: Verdict = { kind: "end" };
  for (const run of listRuns(first, job)) {
    const seen = run === job.run ? first : await takeSnapshot(mover.surroundings, run);
    const next = judge(mover, seen, inHand, run);
    if (next.kind === "batch") return next;
    if (run === job.run || verdict.kind === "end") verdict = next;
  }
  return verdict;
}

/** When a job began, real monotonic ms, and what had failed by then. */
type Begun = Pick<JobBegin, "failed"> & { readonly at: number };

/** What a job that chooses further batches compares with. */
export async function noteBegin({ surroundings }: Mover, run: string): Promise<Begun> {
  const { snapshot } = await takeSnapshot(surroundings, run);
  return { failed: countFailed(snapshot, run), at: surroundings.clock.monotonic() };
}

function isOver({ surroundings }: Mover, seen: JudgedSnapshot, { run }: BatchJob, { failed, at }: Begun): boolean {
  const ageMs = surroundings.clock.monotonic() - at;
  return !mayContinue(seen.snapshot, run, { failed, ageMs }) || mustMakeRoom(seen, run, "all");
}

/**
 * The batch that this job moves, chosen by what this executor sees now; undefined when nothing is to be moved. Waits while
 * there is no room. With `begun` it is a further batch of the same job, which may not have one any more.
 */
export async function chooseNext(mover: Mover, inHand: JobInHand, begun?: Begun): Promise<Batch | undefined> {
  const { held } = inHand;
  const { job, signal } = held;
  for (;;) {
    const seen = await takeSnapshot(mover.surroundings, job.run);
    if (begun !== undefined && isOver(mover, seen, job, begun)) return undefined;
    mover.refusals.retain((key) => seen.judged.find(key) !== undefined);
    const verdict = await judgeAll(mover, seen, inHand);
    if (verdict.kind === "batch") {
      clearWait(mover, inHand);
      return verdict.batch;
    }
    const { kind, reason } = verdict;
    if (kind === "end" || reason === undefined) {
      mover.log.info({ run: job.run, reason: reason && renderReason(reason) }, "the job ends: nothing to move");
      return undefined;
    }
    if (job.due !== "rollback" && isGivenUp(seen, job.run, reason)) return undefined;
    reportWait(mover, seen, inHand, reason);
    await mover.waitForChange(signal);
  }
}
