import type { PullRequest } from "#libs/scm";
import { readStageBranch, rolloutsPath, type Spec, type StagePull, type Snapshot } from "#libs/plan";
import type { CheckVerdict } from "#libs/wording";

import { digest } from "../judging/answer-question.ts";
import type { JudgedPull } from "../checks/judge-pulls.ts";
import type { StageStep } from "./stage-step.ts";

/** True when merging it does exactly what the stage does. Others may push to the branch, so authors do not matter. */
export function matchesWish({ wish }: StageStep, { changed, text: merged }: JudgedPull): boolean {
  return wish !== undefined && changed.length === 1 && changed[0] === rolloutsPath && merged === wish.text;
}

function toStagePull(pull: PullRequest): StagePull {
  const { branch, number, url, state, headSha, closedBy, closedAt } = pull;
  return {
    branch,
    number,
    url,
    state,
    headSha,
    ...(closedBy === undefined ? {} : { closedBy }),
    ...(closedAt === undefined ? {} : { closedAt }),
  };
}

/** Neutral counts as pending: the stage keeps waiting. */
function readState({ state }: CheckVerdict): "success" | "failure" | "pending" {
  return state === "neutral" ? "pending" : state;
}

function describeJudged(snapshot: Snapshot, step: StageStep | undefined, judged: JudgedPull): StagePull {
  const { verdict, pull } = judged;
  const checks = { plan: readState(verdict.plan), approvals: readState(verdict.approvals) };
  const { list: text } = verdict;
  const isOwn = step !== undefined && matchesWish(step, judged);
  return {
    ...toStagePull(pull),
    checks,
    ...(isOwn ? { list: { text, digest: digest(text), main: snapshot.main.head } } : {}),
    ...(step?.takenBy === undefined ? {} : { takenBy: step.takenBy }),
  };
}

/** Those on branches of unfinished campaigns' stages; a fork's branch does not count. */
function listStagePulls(head: Spec, judged: readonly JudgedPull[]): readonly JudgedPull[] {
  return judged.filter(({ pull }) => {
    const named = pull.fork === true ? undefined : readStageBranch(pull.branch, head.campaigns);
    return named !== undefined && head.campaigns.has(named.campaign);
  });
}

/** The stage pull requests for the planner's decisions, by branch; merged ones are kept from `before`. */
export function collectStagePulls(
  snapshot: Snapshot,
  head: Spec,
  steps: readonly StageStep[],
  judged: readonly JudgedPull[],
  before: ReadonlyMap<string, StagePull>,
): ReadonlyMap<string, StagePull> {
  const pulls = new Map<string, StagePull>();
  for (const [branch, pull] of before) {
    const named = readStageBranch(branch, head.campaigns);
    if (named !== undefined && head.campaigns.has(named.campaign) && pull.state === "merged") pulls.set(branch, pull);
  }
  for (const { branch, pull } of steps)
    if (pull !== undefined && pull.state !== "open") pulls.set(branch, toStagePull(pull));
  for (const each of listStagePulls(head, judged)) {
    const step = steps.find(({ branch }) => branch === each.pull.branch);
    pulls.set(each.pull.branch, describeJudged(snapshot, step, each));
  }
  return pulls;
}
