import { lookUp } from "#libs/input";
import { printStopCause, unknownPerson } from "#libs/wording";
import { isReached } from "#libs/campaign";

import {
  type LedgerChange,
  type LedgerDecision,
  type LedgerState,
  parseTime,
  type PlanChange,
  type PlanRecord,
  printTime,
  type Snapshot,
  type Spec,
  type StagePull,
  type StopRecord,
} from "../../records/index.ts";
import { judgeChanges } from "../../main/index.ts";
import { placeStop } from "../../transitions/index.ts";
import { applyShares } from "./apply-shares.ts";
import { countLines } from "../count-listed.ts";
import { findStageOfBranch, nameClosedHold, planStageOfBranch } from "./branch.ts";

/**
 * A newer list of the same head is recorded at most this often, ms: in a busy fleet the list changes at every reconcile, and
 * each record is a commit.
 */
const relistMs = 3_600_000;

/**
 * A pull request that a person closed unmerged becomes one hold, with its number in the id, owned by that person (rules 10.3).
 */
function holdClosed(snapshot: Snapshot, ledger: LedgerState, head: Spec, pull: StagePull): LedgerDecision | undefined {
  const id = nameClosedHold(pull.number);
  if (pull.state !== "closed" || lookUp(ledger.stops, id) !== undefined) return undefined;
  const found = findStageOfBranch(pull.branch, head.campaigns);
  // Main already has the stage, so there is nothing to hold.
  if (found === undefined || isReached(found.campaign, found.stage, head.rollouts)) return undefined;
  const stop: StopRecord = {
    id,
    scope: `campaign/${found.campaign.name}`,
    strength: "propose",
    at: printTime(snapshot.now),
    who: pull.closedBy ?? unknownPerson,
    why: printStopCause({ code: "PullClosed", pull: pull.number, stage: found.stage.name }),
    cause: "closed",
    pull: pull.number,
    stage: found.stage.name,
  };
  return placeStop(snapshot, ledger, stop);
}

function isNews(snapshot: Snapshot, before: PlanRecord | undefined, digest: string): boolean {
  if (before === undefined) return true;
  return before.digest !== digest && snapshot.now - parseTime(before.listedAt ?? before.at) >= relistMs;
}

/** Plans to drop: of campaigns that main no longer has, and of earlier, unmerged heads of the branch. */
function listOldPlans(ledger: LedgerState, head: Spec, { branch, headSha }: StagePull): readonly string[] {
  const lists = new Map(Object.values(ledger.runs).map((run) => [run.list, run.state]));
  const isKept = ([sha, plan]: readonly [string, PlanRecord]): boolean => {
    if (!head.campaigns.has(plan.campaign)) return lists.get(sha) === "open";
    return plan.branch !== branch || lists.has(sha);
  };
  return Object.entries(ledger.plans).flatMap((entry) => (isKept(entry) || entry[0] === headSha ? [] : [entry[0]]));
}

/** The changes of the next stage's merge in the form of a run's; undefined for any other branch. */
function findChanges(ledger: LedgerState, head: Spec, branch: string) {
  const found = planStageOfBranch(branch, head);
  return found && { ...found, changes: judgeChanges(ledger, head, applyShares(head, found.changes)) };
}

/** The step of this plan by the plans that are recorded. */
function namePlanStep(plans: LedgerState["plans"], plan: PlanRecord): PlanChange["step"] {
  if (lookUp(plans, plan.head) !== undefined) return "relisted";
  return Object.values(plans).some(({ branch }) => branch === plan.branch) ? "headProposed" : "stageProposed";
}

/** Records the list of a stage's head, before it may be merged without people (rules 10.2). */
function recordPlan(snapshot: Snapshot, ledger: LedgerState, head: Spec, pull: StagePull): LedgerDecision | undefined {
  const { list, headSha, branch, number } = pull;
  const before = lookUp(ledger.plans, headSha);
  if (pull.state !== "open" || list === undefined || list.main !== snapshot.main.head) return undefined;
  const found = isNews(snapshot, before, list.digest) ? findChanges(ledger, head, branch) : undefined;
  if (found === undefined) return undefined;
  const { campaign, stage, changes } = found;
  const at = printTime(snapshot.now);
  // The notice counts from the first list of the head; a newer list does not restart it.
  const times = before === undefined ? { at } : { at: before.at, listedAt: at };
  const named = { head: headSha, campaign: campaign.name, stage: stage.name, branch };
  const plan: PlanRecord = { ...named, ...times, changes, digest: list.digest, list: list.text };
  const proposed = { stage: stage.name, campaign: campaign.name, pull: number };
  const counted = { workloads: countLines(list.text), digest: list.digest };
  const old = listOldPlans(ledger, head, pull);
  const change: LedgerChange = {
    main: snapshot.main.head,
    sequence: ledger.sequence + 1,
    plans: [{ plan, step: namePlanStep(ledger.plans, plan) }],
    ...(old.length === 0 ? {} : { forgotten: { plans: old } }),
  };
  return { kind: "recordPlan", change, reason: { code: "StageProposed", ...proposed, ...counted } };
}

/**
 * The next transition for stage pull requests, as GitHub last reported them: the list of an unrecorded head of ours, or the
 * hold for a closed one.
 */
export function followPulls(snapshot: Snapshot, ledger: LedgerState): LedgerDecision | undefined {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined || snapshot.pulls === undefined || !snapshot.main.contained) return undefined;
  for (const pull of snapshot.pulls.values()) {
    const turned = holdClosed(snapshot, ledger, head, pull) ?? recordPlan(snapshot, ledger, head, pull);
    if (turned !== undefined) return turned;
  }
  return undefined;
}
