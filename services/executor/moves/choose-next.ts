import type { BatchJob } from "#libs/events";
import { type Batch, chooseForJob, permitJob } from "#libs/plan";
import { type Reason, type ReasonCode, renderReason } from "#libs/wording";

import { describeJob, endWait, type Hand, isGivenUp, listOtherRollbacks, type Mover, tellWait } from "./hold-job.ts";
import { type Lookout, takeSnapshot } from "./take-snapshot.ts";

/** They end by themselves, within this job: the planner, which hands it out by its own facts, would at once hand out the next one. */
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

/** What one run may move now. */
function judge(mover: Mover, seen: Lookout, { held }: Hand, run: string): Verdict {
  const { clock } = mover.surroundings;
  const permit = permitJob(seen.snapshot, describeJob(seen, held, run));
  if (permit.kind === "wait") return permit;
  if (permit.kind !== "go") return { kind: "end", reason: permit.reason };
  const choice = chooseForJob(seen.snapshot, { run, due: held.job.due }, mover.refusals.listHeld(clock.monotonic()));
  if (choice.kind === "batch") return choice;
  if (choice.kind === "nothing") return { kind: "end" };
  return { kind: awaited.includes(choice.reason.code) ? "wait" : "end", reason: choice.reason };
}

/** Whose workloads the job may move: of a rollback also those of other runs, since none waits for another (rules 2.3). */
function listRuns(seen: Lookout, { run, due }: BatchJob): readonly string[] {
  return due === "rollback" ? [run, ...listOtherRollbacks(seen, run, "all")] : [run];
}

async function judgeAll(mover: Mover, first: Lookout, hand: Hand): Promise<Verdict> {
  const { job } = hand.held;
  let verdict: Verdict = { kind: "end" };
  for (const run of listRuns(first, job)) {
    const seen = run === job.run ? first : await takeSnapshot(mover.surroundings, run);
    const next = judge(mover, seen, hand, run);
    if (next.kind === "batch") return next;
    if (run === job.run || verdict.kind === "end") verdict = next;
  }
  return verdict;
}

/**
 * The batch that this job moves, by what this executor itself sees now; undefined when it has nothing to move. Where there is no
 * room it waits for some.
 */
export async function chooseNext(mover: Mover, hand: Hand): Promise<Batch | undefined> {
  const { held } = hand;
  const { job, signal } = held;
  for (;;) {
    const seen = await takeSnapshot(mover.surroundings, job.run);
    mover.refusals.retain((key) => seen.judged.find(key) !== undefined);
    const verdict = await judgeAll(mover, seen, hand);
    if (verdict.kind === "batch") {
      endWait(mover, hand);
      return verdict.batch;
    }
    const { kind, reason } = verdict;
    if (kind === "end" || reason === undefined) {
      mover.log.info({ run: job.run, reason: reason && renderReason(reason) }, "the job ends: nothing to move");
      return undefined;
    }
    if (job.due !== "rollback" && isGivenUp(seen, job.run, reason)) return undefined;
    tellWait(mover, seen, hand, reason);
    await mover.waitForChange(signal);
  }
}
