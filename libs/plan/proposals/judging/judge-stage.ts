import { findNextStage, isReached, type Stage } from "#libs/campaign";
import type { StageNote, StageObstacle } from "#libs/wording";
import { changedBuckets } from "#libs/rollouts";

import { evaluateFleet } from "../../index/index.ts";
import { listStagesOfBuckets } from "../../main/index.ts";
import { findBelonging } from "../../transitions/index.ts";
import type { Snapshot, Spec } from "../../records/index.ts";
import type { FileChange } from "./judge-change.ts";
import type { PullRequestQuestion } from "./pull-request-facts.ts";
import { applyShares } from "../stages/apply-shares.ts";
import { findStageOfBranch, planStageOfBranch } from "../stages/branch.ts";
import { findEvidence } from "../stage-facts/evidence.ts";
import { judgeStages } from "../stages/judge-stages.ts";
import type { StageVerdict } from "../stages/verdict.ts";

/** A campaign's part of the judgement of a pull request. */
export interface StagePart {
  readonly note?: StageNote;
  /** Why it must not be merged now, although it is valid. */
  readonly obstacle?: StageRefusal;
}

interface StageRefusal {
  readonly state: "failure" | "pending";
  readonly obstacle: StageObstacle;
}

/**
 * The next stage of its branch's campaign, when the merge makes exactly the changes of that stage in main's campaign. Computed
 * from main each time, because anyone may push to a branch (rules 10.2).
 */
export function findOwnStage({ pull, snapshot }: PullRequestQuestion, change: FileChange): Stage | undefined {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined || pull.fork === true || pull.branch === undefined || !change.isAlone) return undefined;
  const found = planStageOfBranch(pull.branch, head);
  if (found === undefined || found.changes.length === 0) return undefined;
  const wanted = applyShares(head, found.changes).rollouts;
  return changedBuckets(wanted, change.after.rollouts).length === 0 ? found.stage : undefined;
}

/** Short-lived obstacles are ignored: a check that followed each of them would use up the write budget of its head. */
const shortLived: readonly string[] = ["ClusterUnreachable", "GitDown", "StageUnjudged", "NoBaseline"];

function judgeVerdict(verdict: StageVerdict | undefined): StageRefusal | undefined {
  if (verdict?.kind !== "wait" || shortLived.includes(verdict.reason.code)) return undefined;
  const { reason } = verdict;
  return { state: reason.code === "StageHeld" ? "failure" : "pending", obstacle: { kind: "waits", reason } };
}

type Found = NonNullable<ReturnType<typeof findStageOfBranch>>;

/** Why the stage of its branch must not be merged now; undefined when it may. */
function findObstacle(snapshot: Snapshot, head: Spec, { campaign, stage }: Found): StageRefusal | undefined {
  const next = findNextStage(campaign, head.rollouts);
  if (next === stage) {
    const verdicts = judgeStages(snapshot, head, evaluateFleet(snapshot, head));
    return judgeVerdict(verdicts.find((verdict) => verdict.campaign === campaign));
  }
  if (next === undefined || isReached(campaign, stage, head.rollouts))
    return { state: "pending", obstacle: { kind: "reached", stage: stage.name } };
  return { state: "pending", obstacle: { kind: "later", stage: next.name } };
}

/** For a pull request on a stage's branch: whether its stage may be proposed now (rules 1.5). */
function judgeOwn({ pull, snapshot }: PullRequestQuestion, change: FileChange): StagePart | undefined {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined || pull.fork === true || pull.branch === undefined) return undefined;
  const found = findStageOfBranch(pull.branch, head.campaigns);
  if (found === undefined) return undefined;
  const { campaign, stage } = found;
  const evidence = findEvidence(snapshot.ledger, campaign);
  const note = { kind: "stage", stage: stage.name, campaign: campaign.name, evidence } as const;
  const obstacle = change.isRollback ? undefined : findObstacle(snapshot, head, found);
  return obstacle === undefined ? { note } : { note, obstacle };
}

/** A run moves for one campaign only. A new seed changes all buckets, and has its own check (MR2008). */
function refuseShared({ before, after, forward }: FileChange): StagePart | undefined {
  const names = listStagesOfBuckets(after, [...forward]).map(({ campaign }) => campaign);
  if (names.length < 2 || before.settings.seed !== after.settings.seed) return undefined;
  return { obstacle: { state: "failure", obstacle: { kind: "shared", campaigns: names } } };
}

/** Any change of a campaign's bucket becomes its run, with the settings of the reached stage (rules 1.5). */
export function judgeStagePart(question: PullRequestQuestion, change: FileChange): StagePart {
  const decided = refuseShared(change) ?? judgeOwn(question, change);
  if (decided !== undefined) return decided;
  const { ledger } = question.snapshot;
  const { campaign, stage } = ledger === undefined ? {} : findBelonging(ledger, change.after, change.buckets);
  if (campaign === undefined || change.buckets.length === 0) return {};
  return { note: { kind: "belongs", stage: stage ?? "", campaign } };
}
