import { lookUp } from "#libs/input";
import { printRule, type Reason, type Snapshot } from "#libs/plan";

import type { ScmLink } from "../scm-link.ts";
import { isOurs } from "./stage-pulls.ts";
import type { JudgedPull } from "../checks/judge-pulls.ts";
import { type Refusals, tryMerge } from "../rollback/merge-return.ts";
import { type StageReason, type StageStep, waitForStage } from "./stage-step.ts";
import type { Wait } from "../../waits/waits.ts";

export type StageMerge =
  | { readonly kind: "merged"; readonly number: number }
  | { readonly kind: "waiting"; readonly wait: Wait };

/** What the merge of a stage looks at. */
export interface MergeQuestion {
  readonly link: ScmLink;
  readonly snapshot: Snapshot;
  readonly step: StageStep;
  readonly own: JudgedPull;
  readonly refusals: Refusals;
  /** Epoch ms of the time people live in, and real ms. */
  readonly now: number;
  readonly real: number;
}

function waitForPeople({ step, own }: MergeQuestion): StageReason {
  const { approvals } = step.verdict.stage.settings;
  const { pull, verdict } = own;
  const name = `waits in pull request ${pull.number}`;
  const whose: Pick<Reason, "owner"> | object = approvals.from.length === 0 ? {} : { owner: approvals.from.join(", ") };
  if (verdict.plan.state === "failure")
    return { code: "PlanRed", message: `${name}, whose check meshroll/plan is red: ${verdict.plan.title}` };
  if (verdict.approvals.state !== "success") {
    const message = `${name} for ${printRule(approvals)}: ${verdict.approvals.title}`;
    return { code: "ApprovalNeeded", message, ...whose, command: `gh pr review ${pull.number} --approve` };
  }
  const message = `${name} for somebody to merge it: ${pull.url}`;
  return { code: "MergeNeeded", message, ...whose, command: `gh pr merge ${pull.number} --merge` };
}

/**
 * When people have had their notice, epoch ms; undefined while the ledger has no record of this very head. The record's own
 * time is not trusted alone: nobody can have had notice of what GitHub did not show yet.
 */
function findEnd({ snapshot, step, own }: MergeQuestion, notice: number): number | undefined {
  const plan = lookUp(snapshot.ledger?.plans, own.pull.headSha);
  const { campaign, stage } = step.verdict;
  const isRecorded = plan?.campaign === campaign.name && plan.stage === stage.name && plan.branch === step.branch;
  return isRecorded ? Math.max(Date.parse(plan.at), own.shownAt) + notice : undefined;
}

/** Its checks and its notice: why it does not merge itself yet. */
function findObstacle(question: MergeQuestion, notice: number): StageReason | undefined {
  const { step, own, now } = question;
  const { pull, verdict, isShown } = own;
  const name = `merges itself by pull request ${pull.number}`;
  const until = findEnd(question, notice);
  if (verdict.plan.state === "failure" || verdict.approvals.state === "failure") return waitForPeople(question);
  if (!isOurs(step, own) || until === undefined) {
    const message = `${name} once its list is recorded`;
    return { code: "MergeNotice", message, owner: "meshroll" };
  }
  const isGreen = isShown && verdict.plan.state === "success" && verdict.approvals.state === "success";
  if (now >= until && isGreen) return undefined;
  if (now < until) {
    const message = `${name} when its notice is over and both checks are green`;
    return { code: "MergeNotice", message, owner: "meshroll", until: new Date(until).toISOString() };
  }
  return { code: "MergeNotice", message: `${name} once both checks are green`, owner: "meshroll" };
}

/**
 * Merges a stage that merges itself: after its notice, with both checks green, and only a head that the ledger has as ours
 * and that does what the stage does. Everything else waits for people.
 */
export async function mergeStage(question: MergeQuestion): Promise<StageMerge> {
  const { link, step, own, refusals, real } = question;
  const { autoMerge } = step.verdict.stage.settings;
  const wait = (reason: StageReason): StageMerge => ({ kind: "waiting", wait: waitForStage(step.verdict, reason) });
  if (autoMerge === undefined) return wait(waitForPeople(question));
  const obstacle = findObstacle(question, autoMerge.notice);
  if (obstacle !== undefined) return wait(obstacle);
  const { number } = own.pull;
  const outcome = await tryMerge(link, own.pull, refusals, real);
  if (outcome.kind === "merged") return { kind: "merged", number };
  const message = `is not merged by pull request ${number}, which GitHub does not let meshroll merge: ${outcome.why}`;
  return wait({ code: "StageRefused", message, command: `gh pr merge ${number} --admin --merge` });
}
