import { lookUp } from "#libs/input";
import { findNextStage, isReached, planRamp } from "#libs/campaign";

import type { LedgerDecision } from "../decision.ts";
import { parseTime, printTime } from "../iso-time.ts";
import type { LedgerState, PlanRecord, StopRecord } from "../ledger-state.ts";
import { judgeChanges } from "../returns.ts";
import { placeStop } from "../transitions.ts";
import type { Spec, StagePull, World } from "../world.ts";
import { applyShares } from "./apply-shares.ts";
import { findStageOfBranch, nameClosedHold } from "./branch.ts";

/** A fleet that never rests would make a ledger commit at every look: a newer list of the same head is recorded this late, ms. */
const relistMs = 3_600_000;

/** Somebody closed it unmerged: one hold, remembered by its number, owned by whoever did (rules 10.3). */
function holdClosed(world: World, ledger: LedgerState, head: Spec, pull: StagePull): LedgerDecision | undefined {
  const id = nameClosedHold(pull.number);
  if (pull.state !== "closed" || lookUp(ledger.stops, id) !== undefined) return undefined;
  const found = findStageOfBranch(pull.branch, head.campaigns);
  // What main says already cannot be held any more: closing it was tidying up.
  if (found === undefined || isReached(found.campaign, found.stage, head.rollouts)) return undefined;
  const stop: StopRecord = {
    id,
    scope: `campaign/${found.campaign.name}`,
    strength: "propose",
    at: printTime(world.now),
    who: pull.closedBy ?? "somebody on GitHub",
    why: `pull request ${pull.number} of stage ${found.stage.name} was closed unmerged`,
    cause: "closed",
    pull: pull.number,
    stage: found.stage.name,
  };
  return placeStop(world, ledger, stop);
}

function isNews(world: World, before: PlanRecord | undefined, digest: string): boolean {
  if (before === undefined) return true;
  return before.digest !== digest && world.now - parseTime(before.listedAt ?? before.at) >= relistMs;
}

/** Forgets plans of campaigns that main does not have any more, and of earlier heads of the branch that nobody merged. */
function keepPlans(ledger: LedgerState, head: Spec, branch: string): LedgerState["plans"] {
  const lists = new Map(Object.values(ledger.runs).map((run) => [run.list, run.state]));
  const kept = Object.entries(ledger.plans).filter(([sha, plan]) => {
    if (!head.campaigns.has(plan.campaign)) return lists.get(sha) === "open";
    return plan.branch !== branch || lists.has(sha);
  });
  return Object.fromEntries(kept);
}

/** What the merge of a next stage changes, as its run will say it; undefined for any other branch. */
function findChanges(ledger: LedgerState, head: Spec, branch: string) {
  const found = findStageOfBranch(branch, head.campaigns);
  if (found === undefined || findNextStage(found.campaign, head.rollouts) !== found.stage) return undefined;
  const ramp = planRamp(found.campaign, found.stage, head.rollouts);
  if (!ramp.ok) return undefined;
  return { ...found, changes: judgeChanges(ledger, head, applyShares(head, ramp.changes)) };
}

function countLines(list: string): number {
  return list === "" ? 0 : list.trimEnd().split("\n").length;
}

/** What its head does, exactly as recorded before it may be merged without people (rules 10.2). */
function recordPlan(world: World, ledger: LedgerState, head: Spec, pull: StagePull): LedgerDecision | undefined {
  const { list, headSha, branch, number } = pull;
  const before = lookUp(ledger.plans, headSha);
  if (pull.state !== "open" || list === undefined || list.main !== world.main.head) return undefined;
  const found = isNews(world, before, list.digest) ? findChanges(ledger, head, branch) : undefined;
  if (found === undefined) return undefined;
  const { campaign, stage, changes } = found;
  const at = printTime(world.now);
  // People have had notice since the head was there: a newer list of it does not begin that anew.
  const times = before === undefined ? { at } : { at: before.at, listedAt: at };
  const named = { head: headSha, campaign: campaign.name, stage: stage.name, branch };
  const plan: PlanRecord = { ...named, ...times, changes, digest: list.digest, list: list.text };
  const count = `${countLines(list.text)} workloads, ${list.digest}`;
  const message = `stage ${stage.name} of ${campaign.name} proposed as pull request ${number}: ${count}`;
  const plans = { ...keepPlans(ledger, head, branch), [headSha]: plan };
  const next = { ...ledger, main: world.main.head, sequence: ledger.sequence + 1, plans };
  return { kind: "recordPlan", plan, ledger: next, reason: { code: "StageProposed", message, owner: "meshroll" } };
}

/**
 * What stage pull requests, as GitHub last told of them, ask of the ledger: the list of a head that is ours and not recorded
 * yet, or the hold of one that somebody closed. One transition at a time.
 */
export function followPulls(world: World, ledger: LedgerState): LedgerDecision | undefined {
  const head = world.specs.get(world.main.head);
  if (head === undefined || world.pulls === undefined || !world.main.contained) return undefined;
  for (const pull of world.pulls.values()) {
    const turned = holdClosed(world, ledger, head, pull) ?? recordPlan(world, ledger, head, pull);
    if (turned !== undefined) return turned;
  }
  return undefined;
}
