import type { MergeOutcome, PullRequest } from "#libs/github";
import { isRolledBack, rolloutsPath, type Snapshot } from "#libs/plan";
import type { Reason } from "#libs/wording";

import type { RollbackStep } from "./follow-rollback.ts";
import type { ScmLink } from "../scm-link.ts";
import type { JudgedPull } from "../checks/judge-pulls.ts";
import { makeWait, type Wait } from "../../loop/make-wait.ts";

/** A merge that GitHub refused is not tried again for so long, real ms: nothing of ours can change what it asks for. */
const tryAgainMs = 60_000;

/** Refusals by head, with the moment at which another try may be made. */
export type Refusals = Map<string, { readonly why: string; readonly until: number }>;

function waitFor({ asked }: RollbackStep, reason: Reason): Wait {
  return makeWait(`run/${asked.run.id}`, reason);
}

/** True when merging it does what was requested and nothing else, no matter who wrote it. */
async function leadsBack(link: ScmLink, snapshot: Snapshot, step: RollbackStep, judged: JudgedPull): Promise<boolean> {
  if (judged.changed.length !== 1 || judged.changed[0] !== rolloutsPath) return false;
  const text = await link.repository.readMerged(snapshot.main.head, judged.pull.headSha, rolloutsPath);
  return isRolledBack(step.buckets, text ?? "", step.oldText);
}

/** One try a minute for a head: in between GitHub's last word stands. */
export async function tryMerge(
  link: ScmLink,
  pull: PullRequest,
  refusals: Refusals,
  now: number,
): Promise<MergeOutcome> {
  const before = refusals.get(pull.headSha);
  if (before !== undefined && now < before.until) return { kind: "refused", why: before.why };
  const outcome = await link.scm.merge(pull.number, pull.headSha);
  if (outcome.kind === "refused") refusals.set(pull.headSha, { why: outcome.why, until: now + tryAgainMs });
  else refusals.delete(pull.headSha);
  return outcome;
}

/**
 * Merges the pull request of a rollback once GitHub shows both of its checks green, without an approval (rules 2.2). Answers what
 * it waits for; undefined once it is merged.
 */
export async function mergeRollback(
  link: ScmLink,
  snapshot: Snapshot,
  step: RollbackStep,
  judged: JudgedPull,
  refusals: Refusals,
  now: number,
): Promise<Wait | undefined> {
  const { pull, verdict, isShown } = judged;
  const { number } = pull;
  const own = { run: step.asked.run.id, who: step.asked.stop.who };
  if (!(await leadsBack(link, snapshot, step, judged)))
    return waitFor(step, { code: "RollbackTaken", ...own, taken: { number } });
  if (!verdict.isRollback) return waitFor(step, { code: "RollbackForward", ...own, number });
  const isGreen = isShown && verdict.plan.state === "success" && verdict.approvals.state === "success";
  if (!isGreen) return waitFor(step, { code: "RollbackPending", ...own, waitsFor: { kind: "checks", number } });
  const outcome = await tryMerge(link, pull, refusals, now);
  if (outcome.kind === "merged") return undefined;
  return waitFor(step, { code: "RollbackMergeRefused", ...own, number, why: outcome.why });
}
