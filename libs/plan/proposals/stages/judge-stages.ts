import { type Campaign, findNextStage, planRamp, type Stage } from "#libs/campaign";
import type { ShareChange } from "#libs/rollouts";
import type { Reason } from "#libs/wording";
import type { ClusterIndex, Evaluation } from "../../index/index.ts";
import type { Snapshot, Spec } from "../../records/index.ts";
import { applyShares } from "./apply-shares.ts";
import { nameStageBranch } from "./branch.ts";
import { findStageObstacle } from "./find-obstacle.ts";
import { nameStage, type NextStage, type StageVerdict } from "./verdict.ts";

/** Main after a stage, or why its file cannot be edited. */
type Ramp =
  | { readonly kind: "edit"; readonly changes: readonly ShareChange[]; readonly after: Spec }
  | { readonly kind: "impossible"; readonly reason: Reason };

const ramps = new WeakMap<Spec, Map<Stage, Ramp>>();

function makeRamp(head: Spec, campaign: Campaign, stage: Stage): Ramp {
  const planned = planRamp(campaign, stage, head.rollouts);
  if (planned.ok) return { kind: "edit", changes: planned.changes, after: applyShares(head, planned.changes) };
  const [first] = planned.findings;
  const { message: why, help } = first ?? {};
  return { kind: "impossible", reason: { code: "StageImpossible", ...nameStage({ campaign, stage }), why, help } };
}

/** Compiled once for a head, because every reconcile needs it. */
function rampUp(head: Spec, campaign: Campaign, stage: Stage): Ramp {
  const known = ramps.get(head) ?? new Map<Stage, Ramp>();
  ramps.set(head, known);
  const ramp = known.get(stage) ?? makeRamp(head, campaign, stage);
  known.set(stage, ramp);
  return ramp;
}

function movesOneOf(head: Spec, after: Spec, index: ClusterIndex): boolean {
  for (const name of index.tree.keys()) {
    if (head.resolver.resolve(name).revision === after.resolver.resolve(name).revision) continue;
    if (index.judge(name).some(({ state }) => state.kind !== "unmanaged")) return true;
  }
  return false;
}

/** The result for one cluster's namespaces. */
interface Looked {
  readonly root: unknown;
  readonly basis: object;
  readonly moves: boolean;
}

const reconciled = new WeakMap<Spec, Map<string, Looked>>();

/** Whether no desired revision changes (rules 1.6); unchanged namespaces are not evaluated again. */
function isEmpty(head: Spec, after: Spec, { judged }: Evaluation): boolean {
  const known = reconciled.get(after) ?? new Map<string, Looked>();
  reconciled.set(after, known);
  for (const [name, index] of judged) {
    const before = known.get(name);
    const isSame = before !== undefined && before.root === index.tree.root && before.basis === index.basis;
    const moves = isSame ? before.moves : movesOneOf(head, after, index);
    known.set(name, { root: index.tree.root, basis: index.basis, moves });
    if (moves) return false;
  }
  return true;
}

/** Rules 1.6: an empty stage is a wait with its fix, and is not proposed. */
function describeEmpty(campaign: Campaign, stage: Stage): Reason {
  const { line, set } = stage;
  return { code: "StageEmpty", ...nameStage({ campaign, stage }), line, set };
}

function judgeNext(snapshot: Snapshot, head: Spec, evaluation: Evaluation, next: NextStage): StageVerdict {
  const { campaign, stage } = next;
  const { ledger } = snapshot;
  const wait = (reason: Reason): StageVerdict => ({ kind: "wait", ...next, reason });
  if (ledger === undefined) return wait({ code: "NoBaseline", hinders: "proposals" });
  const obstacle = findStageObstacle({ snapshot, ledger, head, campaign, stage, evaluation });
  if (obstacle !== undefined) return wait(obstacle);
  const ramp = rampUp(head, campaign, stage);
  if (ramp.kind === "impossible") return wait(ramp.reason);
  if (isEmpty(head, ramp.after, evaluation)) return wait(describeEmpty(campaign, stage));
  return { kind: "propose", ...next, changes: ramp.changes, after: ramp.after };
}

/**
 * The state of each unfinished campaign of main: the stage that may be proposed now, the wait that holds it, or that all stages
 * are reached (rules 1.5). The cost is in what changed since the last reconcile.
 */
export function judgeStages(snapshot: Snapshot, head: Spec, evaluation: Evaluation): readonly StageVerdict[] {
  return [...head.campaigns.values()].map((campaign) => {
    const stage = findNextStage(campaign, head.rollouts);
    if (stage === undefined) return { kind: "complete", campaign };
    const branch = nameStageBranch(snapshot.ledger, campaign.name, stage.name);
    return judgeNext(snapshot, head, evaluation, { campaign, stage, branch });
  });
}
