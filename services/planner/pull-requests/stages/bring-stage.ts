import { printPull, type Reason, renderStagePull } from "#libs/wording";
import { planRamp } from "#libs/campaign";
import { lookUp } from "#libs/input";
import type { PullRequest } from "#libs/scm";
import {
  editStage,
  nameStage,
  type NextStage,
  type ProposedStage,
  proposeStage,
  rolloutsPath,
  type Snapshot,
  type Spec,
} from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

import { type BranchWish, ensureBranch, type EnsuredBranch } from "../ensure-branch.ts";
import { type FoundPull, findStagePull } from "./find-stage-pull.ts";
import { digest } from "../judging/answer-question.ts";
import type { PullJudge } from "../checks/judge-pulls.ts";
import { isRefusedAsBehind, isRefusedAsUnsigned, type Refusals } from "../try-merge.ts";
import { mostWrites } from "../checks/post-checks.ts";
import { type StageStep, waitForStage } from "./stage-step.ts";
import type { Wait } from "../../loop/make-wait.ts";

/** What this process remembers of stages; after a restart all of it is found again. */
export interface StageMemory {
  /** By number: the head and the list's digest that the pull request's text names. */
  readonly shown: Map<number, { readonly head: string; readonly digest: string | undefined }>;
  /** Numbers of pull requests whose labels were set. */
  readonly labelled: Set<number>;
  /** Heads whose writes are used up while their checks are wrong: their branches get one more commit. */
  readonly overBudget: Set<string>;
  /** By branch: how far a person's `/meshroll rerender` is. */
  readonly rerenders: Map<string, "asked" | "pushed" | "done" | "refused">;
  /** By number: since when the SCM reports a merge that main does not contain, real monotonic ms. */
  readonly unread: Map<number, number>;
}

export function createStageMemory(): StageMemory {
  return { shown: new Map(), labelled: new Set(), overBudget: new Set(), rerenders: new Map(), unread: new Map() };
}

export type StageParts = PullJudge & {
  readonly stages: StageMemory;
  readonly refusals: Refusals;
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Pick<Logger, "warn">;
};

/** A stage that may be proposed, with what proposing needs. */
interface Proposing {
  readonly parts: StageParts;
  readonly snapshot: Snapshot;
  readonly head: Spec;
  readonly verdict: ProposedStage;
  readonly branch: string;
}

/** The text of the pull request; it names the ledger's digest once the ledger has the list. */
function renderPull({ snapshot, head, verdict }: Proposing, headSha: string | undefined) {
  const recorded = headSha === undefined ? undefined : lookUp(snapshot.ledger?.plans, headSha)?.digest;
  const { words, digest: ofList } = proposeStage(snapshot, head, verdict, digest, recorded);
  return { text: renderStagePull(words), digest: ofList };
}

/** Counts the writes of an earlier process: opening it, and labelling it if our label is there. */
function countEarlierWrites({ budget }: StageParts, { headSha, labels }: PullRequest): void {
  budget.adopt(headSha, labels.includes(ownLabel) ? 2 : 1);
}

const ownLabel = "meshroll";

/** Adds the labels once per process: a label that a person removes stays removed. */
async function addLabels({ parts, verdict }: Proposing, { number, labels, headSha }: PullRequest): Promise<void> {
  if (parts.stages.labelled.has(number)) return;
  const wanted = [ownLabel, ...verdict.stage.settings.notify.github.labels];
  const missing = wanted.filter((name) => !labels.includes(name));
  if (missing.length > 0) {
    parts.budget.spend(headSha);
    await parts.link.scm.addLabels(number, missing);
  }
  parts.stages.labelled.add(number);
}

async function openPull(proposing: Proposing): Promise<PullRequest> {
  const { parts, branch } = proposing;
  const { link, budget, stages } = parts;
  const { text, digest: ofList } = renderPull(proposing, undefined);
  const pull = await link.scm.openPullRequest({ branch, base: link.base, ...printPull(text) });
  budget.spend(pull.headSha);
  stages.shown.set(pull.number, { head: pull.headSha, digest: ofList });
  return pull;
}

/** Brings title and body up to date with the head and the ledger's list, if the head has writes left. */
async function updatePull(proposing: Proposing, { number, headSha }: PullRequest): Promise<void> {
  const { link, budget, stages, poster } = proposing.parts;
  const shown = stages.shown.get(number);
  const recorded = lookUp(proposing.snapshot.ledger?.plans, headSha)?.digest;
  if (shown?.head === headSha && (recorded === undefined || recorded === shown.digest)) return;
  const { text, digest: ofList } = renderPull(proposing, headSha);
  stages.shown.set(number, { head: headSha, digest: ofList });
  // Four writes are kept for the checks, and one for the merge.
  if (budget.spent(headSha) > 2 || budget.spent(headSha) + poster.count(headSha) > mostWrites / 2) return;
  if (await link.scm.updatePullRequest(number, printPull(text))) budget.spend(headSha);
}

/** Opens the pull request of a branch that is ready, or brings the open one up to date. */
async function ensurePull(proposing: Proposing, found: PullRequest | undefined): Promise<PullRequest> {
  const isOpen = found?.state === "open";
  if (isOpen) countEarlierWrites(proposing.parts, found);
  const pull = isOpen ? found : await openPull(proposing);
  if (isOpen) await updatePull(proposing, found);
  await addLabels(proposing, pull);
  return pull;
}

function describeTaken(verdict: ProposedStage, branch: string, by: string, number: number | undefined): Wait {
  return waitForStage(verdict, { code: "StageTaken", ...nameStage(verdict), by, branch, number });
}

/** Our commit is pushed once: if it does not help, people changed other files too, and they must undo that. */
function followRerender({ stages }: StageParts, branch: string, ensured: EnsuredBranch): void {
  const before = stages.rerenders.get(branch);
  if (ensured.kind === "again" || before === undefined) return;
  if (before === "asked" && ensured.kind === "ready") stages.rerenders.set(branch, "pushed");
  if (before === "pushed") stages.rerenders.set(branch, ensured.kind === "ready" ? "done" : "refused");
}

/**
 * True if the ledger already has the branch's head, of a pull request that is closed: the stage was proposed before. One more
 * commit gives it a list, a notice (rules 1.5) and writes of its own (rules 10.3).
 */
async function wasProposedBefore({ parts, snapshot, branch }: Proposing, { pull }: FoundPull): Promise<boolean> {
  if (pull !== undefined) return false;
  const head = await parts.link.repository.resolve(branch);
  return head !== undefined && lookUp(snapshot.ledger?.plans, head) !== undefined;
}

/**
 * What the next stage's branch must contain, also while the stage may not be proposed: its checks must not change because of a
 * passing wait.
 */
async function makeWish(
  { link, refusals }: StageParts,
  { main }: Pick<Snapshot, "main">,
  head: Spec,
  next: NextStage,
  { branch, pull }: FoundPull,
): Promise<BranchWish | { readonly reason: Reason }> {
  const { repository } = link;
  const { campaign, stage } = next;
  const ramp = planRamp(campaign, stage, head.rollouts);
  const changed = { ...next, changes: ramp.ok ? ramp.changes : [] };
  const edited = editStage(changed, await repository.read(main.head, rolloutsPath));
  if (!edited.ok) return edited;
  return {
    origin: "stage",
    branch,
    main: main.head,
    text: edited.text,
    message: `Stage ${stage.name} of ${campaign.name}`,
    upToDate: isRefusedAsBehind(refusals, pull?.headSha),
    async textAt(commit) {
      const then = editStage(changed, await repository.read(commit, rolloutsPath));
      return then.ok ? then.text : undefined;
    },
  };
}

async function propose(proposing: Proposing, found: FoundPull, wish: BranchWish): Promise<StageStep> {
  const { parts, verdict, branch } = proposing;
  const step = { verdict, branch, wish, ...(found.pull === undefined ? {} : { pull: found.pull }) };
  const isOverBudget = found.pull !== undefined && parts.stages.overBudget.delete(found.pull.headSha);
  const isRebuilt = isOverBudget || (await wasProposedBefore(proposing, found));
  const isUnsigned = await isRefusedAsUnsigned(parts.link, parts.refusals, found.pull?.headSha);
  const isRerendered = parts.stages.rerenders.get(branch) === "asked";
  const ensured = await ensureBranch(parts.link, wish, isRebuilt || isUnsigned, isRerendered);
  followRerender(parts, branch, ensured);
  if (ensured.kind === "taken")
    return { ...step, takenBy: ensured.by, wait: describeTaken(verdict, branch, ensured.by, found.pull?.number) };
  if (ensured.kind === "again")
    return { ...step, wait: waitForStage(verdict, { code: "StageOpening", ...nameStage(verdict) }) };
  return { ...step, pull: await ensurePull(proposing, found.pull) };
}

/** The wait for a pull request that is closed or merged, until the ledger or main shows that. */
function describeOver(verdict: StageStep["verdict"], { state, number, closedBy }: PullRequest): Wait | undefined {
  if (state === "open") return undefined;
  const own = { ...nameStage(verdict), number };
  return waitForStage(
    verdict,
    state === "merged" ? { code: "StageMerged", ...own } : { code: "StageClosed", ...own, by: closedBy },
  );
}

/**
 * Takes the next stage of one campaign as far as an open pull request. Each step is found again from main, the branch and the
 * SCM, so after a kill nothing is lost or done twice.
 */
export async function bringStage(
  parts: StageParts,
  snapshot: Snapshot,
  head: Spec,
  verdict: StageStep["verdict"],
): Promise<StageStep> {
  const found = await findStagePull(parts.link, snapshot, verdict, {
    since: parts.stages.unread,
    now: parts.clock.monotonic(),
  });
  const { branch, pull } = found;
  const step = { verdict, branch, ...(pull === undefined ? {} : { pull }) };
  const over = pull === undefined ? undefined : describeOver(verdict, pull);
  if (over !== undefined) return { ...step, wait: over };
  const wish = await makeWish(parts, snapshot, head, verdict, found);
  if (verdict.kind === "propose") {
    if ("reason" in wish) return { ...step, wait: waitForStage(verdict, wish.reason) };
    return propose({ parts, snapshot, head, verdict, branch }, found, wish);
  }
  if (pull !== undefined) countEarlierWrites(parts, pull);
  const waiting = "reason" in wish ? step : { ...step, wish };
  // The campaign's runs report this themselves.
  if (verdict.reason.code === "StageRunning" || verdict.reason.code === "StageUnjudged") return waiting;
  return { ...waiting, wait: waitForStage(verdict, verdict.reason) };
}
