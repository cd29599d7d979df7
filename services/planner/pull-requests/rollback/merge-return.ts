import type { MergeOutcome, PullRequest } from "#libs/github";
import { isRolledBack, rolloutsPath, type Snapshot } from "#libs/plan";

import type { RollbackStep } from "./bring-back.ts";
import type { ScmLink } from "../scm-link.ts";
import type { JudgedPull } from "../checks/judge-pulls.ts";
import { makeWait, type Wait } from "../../waits/waits.ts";

/** A merge that GitHub refused is not tried again for so long, real ms: nothing of ours can change what it asks for. */
const tryAgainMs = 60_000;

/** Refusals by head, with the moment at which another try may be made. */
export type Refusals = Map<string, { readonly why: string; readonly until: number }>;

export type RollbackMerge =
  | { readonly kind: "merged"; readonly number: number }
  | { readonly kind: "waiting"; readonly wait: Wait };

function waitFor({ asked }: RollbackStep, code: string, message: string, command?: string): RollbackMerge {
  const { run, stop } = asked;
  const reason = { code, message: `the rollback of run ${run.id} ${message}`, owner: stop.who };
  const wait = makeWait(`run/${run.id}`, command === undefined ? reason : { ...reason, command });
  return { kind: "waiting", wait };
}

/** True when merging it does what was asked and nothing else, whoever wrote it. */
async function leadsBack(link: ScmLink, snapshot: Snapshot, step: RollbackStep, judged: JudgedPull): Promise<boolean> {
  if (judged.changed.length !== 1 || judged.changed[0] !== rolloutsPath) return false;
  const text = await link.repository.readMerged(snapshot.main.head, judged.pull.headSha, rolloutsPath);
  return isRolledBack(step.asked.run, text ?? "", step.oldText);
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

/** Merges the pull request of a rollback once GitHub shows both of its checks green: nobody has to approve it (rules 2.2). */
export async function mergeRollback(
  link: ScmLink,
  snapshot: Snapshot,
  step: RollbackStep,
  judged: JudgedPull,
  refusals: Refusals,
  now: number,
): Promise<RollbackMerge> {
  const { pull, verdict, isShown } = judged;
  const { number } = pull;
  if (!(await leadsBack(link, snapshot, step, judged)))
    return waitFor(step, "RollbackTaken", `waits for a person: pull request ${number} does not lead back as it is`);
  if (!verdict.isRollback) {
    const message = `waits for pull request ${number} to be approved: it goes where main has not been before`;
    return waitFor(step, "RollbackForward", message);
  }
  const isGreen = isShown && verdict.plan.state === "success" && verdict.approvals.state === "success";
  if (!isGreen) return waitFor(step, "RollbackPending", `waits for the checks of pull request ${number}`);
  const outcome = await tryMerge(link, pull, refusals, now);
  if (outcome.kind === "merged") return { kind: "merged", number };
  const message = `waits for pull request ${number}, which GitHub does not let meshroll merge: ${outcome.why}`;
  return waitFor(step, "RollbackMergeRefused", message, `gh pr merge ${number} --admin --merge`);
}
