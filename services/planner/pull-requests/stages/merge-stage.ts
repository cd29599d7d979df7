import { lookUp } from "#libs/input";
import { nameStage, type Snapshot } from "#libs/plan";
import type { Reason } from "#libs/wording";

import { nameWhere, type ScmLink } from "../scm-link.ts";
import { matchesWish } from "./stage-pulls.ts";
import type { JudgedPull } from "../checks/judge-pulls.ts";
import { pickRefusal, type Refusals, tryMerge } from "../try-merge.ts";
import type { RulesReader } from "../reading/read-rules.ts";
import { type StageStep, waitForStage } from "./stage-step.ts";
import type { Wait } from "../../loop/make-wait.ts";

/** What decides whether a stage is merged. */
export interface MergeQuestion {
  readonly link: ScmLink;
  readonly snapshot: Snapshot;
  readonly step: StageStep;
  readonly own: JudgedPull;
  readonly refusals: Refusals;
  readonly rules: RulesReader;
  /** Epoch ms of the services' clock, and real monotonic ms. */
  readonly now: number;
  readonly real: number;
}

async function waitForPeople({ link, step, own }: MergeQuestion): Promise<Reason> {
  const { settings } = step.verdict.stage;
  const { approvals } = settings;
  const { pull, verdict } = own;
  const { from } = approvals;
  const named = { ...nameStage(step.verdict), number: pull.number };
  const place = nameWhere(link);
  if (verdict.plan.state === "failure") return { code: "PlanRed", ...named, why: verdict.plan.title };
  if (verdict.approvals.state === "success")
    return {
      code: "MergeNeeded",
      ...named,
      from,
      url: pull.url,
      ...place,
      style: await link.scm.mergeStyle(link.base),
    };
  return { code: "ApprovalNeeded", ...named, ...place, from, rule: approvals, why: verdict.approvals.title };
}

/** When the notice is over, epoch ms; undefined while the ledger has no list of this very head. */
function findEnd({ snapshot, step, own }: MergeQuestion, notice: number): number | undefined {
  const plan = lookUp(snapshot.ledger?.plans, own.pull.headSha);
  const { campaign, stage } = step.verdict;
  const isRecorded = plan?.campaign === campaign.name && plan.stage === stage.name && plan.branch === step.branch;
  return isRecorded ? Math.max(Date.parse(plan.at), own.pull.createdAt) + notice : undefined;
}

/** Why a stage that merges itself is not merged yet. */
async function findObstacle(question: MergeQuestion, notice: number): Promise<Reason | undefined> {
  const { step, own, now } = question;
  const { pull, verdict, isShown } = own;
  const until = findEnd(question, notice);
  if (verdict.plan.state === "failure" || verdict.approvals.state === "failure") return waitForPeople(question);
  const named = { code: "MergeNotice", ...nameStage(step.verdict), number: pull.number } as const;
  if (!matchesWish(step, own) || until === undefined) return { ...named, waitsFor: "list" };
  if (now < until) return { ...named, waitsFor: "notice", until: new Date(until).toISOString() };
  const isGreen = isShown && verdict.plan.state === "success" && verdict.approvals.state === "success";
  return isGreen ? undefined : { ...named, waitsFor: "checks" };
}

/**
 * Merges a stage that merges itself, on all of these conditions: its notice is over, both checks are green, the ledger has the
 * list of this head, the merge does exactly what the stage does, and the SCM enforces the approval rules on the protected
 * branch, so that people approved on main what merges itself. Otherwise people merge it. Returns what it waits for; undefined
 * once it is merged.
 */
export async function mergeStage(question: MergeQuestion): Promise<Wait | undefined> {
  const { link, step, own, refusals, rules, real } = question;
  const notice = step.verdict.stage.settings.autoMerge?.notice;
  const wait = (reason: Reason): Wait => waitForStage(step.verdict, reason);
  if (notice === undefined) return wait(await waitForPeople(question));
  const obstacle = await findObstacle(question, notice);
  if (obstacle !== undefined) return wait(obstacle);
  const named = { ...nameStage(step.verdict), number: own.pull.number };
  const missing = await rules.read(link);
  if (missing.length > 0) return wait({ code: "ReviewRulesMissing", ...named, branch: link.base, rules: missing });
  const outcome = await tryMerge(link, own.pull, refusals, real);
  if (outcome.kind === "merged") return undefined;
  if (outcome.kind === "queued") return wait({ code: "StageQueued", ...named });
  const style = await link.scm.mergeStyle(link.base);
  return wait({ code: "StageRefused", ...named, ...nameWhere(link), ...pickRefusal(outcome), style });
}
