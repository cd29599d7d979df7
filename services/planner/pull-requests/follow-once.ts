import type { Heads, RolloutsRepository } from "#libs/git";
import type { Kept, PullRequest, QueuedGroup } from "#libs/scm";
import { listRequestedRollbacks, readStageBranch, type RequestedRollback, type Snapshot, type Spec } from "#libs/plan";
import { doEach } from "#libs/runtime";

import {
  followRollback,
  nameRollback,
  reportFailed,
  type RollbackStep,
  waitForRollback,
} from "./rollback/follow-rollback.ts";
import { bringStages, finishStages, type StageFollow } from "./stages/follow-stages.ts";
import { type JudgedPull, type Judgement, judgePulls, forgetClosed } from "./checks/judge-pulls.ts";
import { judgeGroups } from "./checks/judge-groups.ts";
import { mergeRollback } from "./rollback/merge-rollback.ts";
import type { BranchWish } from "./ensure-branch.ts";
import type { StageStep } from "./stages/stage-step.ts";
import { orderPulls } from "./checks/order-pulls.ts";
import { describeFault, makeWait, type Wait } from "../loop/make-wait.ts";
import { findKept, isDown, readAsked } from "./scm-link.ts";

/** What one round needs, and what this process remembers between rounds. */
export type FollowParts = StageFollow;

async function followEachRollback(parts: FollowParts, snapshot: Snapshot): Promise<readonly RollbackStep[]> {
  const steps: RollbackStep[] = [];
  const { ledger } = snapshot;
  if (ledger === undefined) return steps;
  const follow = async (asked: RequestedRollback): Promise<void> => {
    const step = await followRollback(parts.link, { ...snapshot, ledger }, asked, parts.refusals);
    if (step !== undefined) steps.push(step);
  };
  await doEach(listRequestedRollbacks(snapshot), follow, {
    onFault: (asked, error) =>
      steps.push({ asked, buckets: [], oldText: "", wait: reportFailed(parts.log, asked, error) }),
    isDown,
  });
  return steps;
}

async function finishRollback(
  parts: FollowParts,
  snapshot: Snapshot,
  step: RollbackStep,
  pulls: readonly JudgedPull[],
): Promise<{ readonly waits: readonly Wait[]; readonly isMerged: boolean }> {
  const own = pulls.find(({ pull }) => pull.branch === step.asked.branch && pull.fork !== true);
  const isOver = step.wait?.reason.code === "RollbackClosed" || step.wait?.reason.code === "RollbackMerged";
  const waits = step.wait === undefined ? [] : [step.wait];
  if (own === undefined || isOver) return { waits, isMerged: false };
  const { link, refusals, clock, log } = parts;
  const wait = await mergeRollback(link, snapshot, step, own, refusals, clock.monotonic());
  if (wait !== undefined) return { waits: [wait], isMerged: false };
  log.info({ pull: own.pull.number, run: step.asked.run.id }, "merged the rollback");
  parts.onMerged();
  return { waits, isMerged: true };
}

function listWishes(steps: readonly Pick<StageStep, "wish">[]): ReadonlyMap<string, BranchWish> {
  return new Map(steps.flatMap(({ wish }) => (wish === undefined ? [] : [[wish.branch, wish] as const])));
}

/** The rollbacks' part of a round. */
interface RollbackRound extends Judgement {
  readonly isMerged: boolean;
  /** Branches of rollbacks that failed in this round: their checks are not touched. */
  readonly postponed: ReadonlySet<string>;
}

/** Rollbacks go first: no other pull request is read before they are done for this round. */
async function followRollbacks(parts: FollowParts, snapshot: Snapshot): Promise<RollbackRound> {
  const { link } = parts;
  const steps = await followEachRollback(parts, snapshot);
  const postponed = new Set(
    steps.flatMap(({ asked, wait }) => (wait?.reason.code === "RollbackFailed" ? [asked.branch] : [])),
  );
  if (steps.length === 0) return { judged: [], waits: [], isMerged: false, postponed };
  const branches = new Set(steps.map(({ asked }) => asked.branch));
  const open = await link.scm.listOpenPullRequests(link.base);
  const pulls = open.filter(({ branch, fork }) => fork !== true && branches.has(branch) && !postponed.has(branch));
  const choice = { pulls, repository: link.repository, wishes: listWishes(steps) };
  const { judged, waits } = await judgePulls(parts, snapshot, choice);
  const all = [...waits];
  let isMerged = false;
  const finishOne = async (step: RollbackStep): Promise<void> => {
    const finished = await finishRollback(parts, snapshot, step, judged);
    all.push(...finished.waits);
    isMerged ||= finished.isMerged;
  };
  await doEach(steps, finishOne, {
    onFault: ({ asked }, error) => all.push(reportFailed(parts.log, asked, error)),
    isDown,
  });
  return { judged, waits: all, isMerged, postponed };
}

/** Limits of one round for pull requests that are not ours, in number and real ms: so many are a few hundred calls. */
const mostOthers = 40;
const mostOthersMs = 20_000;

/** A stage's pull request is judged with the clone that its branch was pushed from. */
function isStageBranch(head: Spec, { branch, fork }: PullRequest): boolean {
  return fork !== true && readStageBranch(branch, head.campaigns) !== undefined;
}

/**
 * True for pull requests of ours that this round cannot recognise as ours, because main or the ledger changed meanwhile: they
 * are judged in the next round. Judged as strangers' now, their approvals would turn pending and back, which is two of their
 * head's eight writes.
 */
function findPostponed(
  { specs, main, ledger, ledgerDoubt }: Snapshot,
  { postponed }: RollbackRound,
  areStagesKnown: boolean,
) {
  const isOutdated = !areStagesKnown && ledger !== undefined && ledgerDoubt === undefined;
  const head = isOutdated ? specs.get(main.head) : undefined;
  return (pull: PullRequest): boolean =>
    (pull.fork !== true && postponed.has(pull.branch)) || (head !== undefined && isStageBranch(head, pull));
}

/** Main is fetched by name, so that a fetch by id only brings what a stranger added, within its limits. */
async function openStrangers(parts: FollowParts, { main }: Snapshot): Promise<RolloutsRepository> {
  const { strangers } = parts.link;
  if (parts.strangersMain !== main.head) await strangers.fetch();
  parts.strangersMain = main.head;
  return strangers;
}

/** Judges all others in turn, first those in the merge queue; those for which there is no time are first in the next round. */
async function judgeOthers(
  parts: FollowParts,
  snapshot: Snapshot,
  pulls: readonly PullRequest[],
  groups: readonly QueuedGroup[],
): Promise<Judgement> {
  if (pulls.length === 0) return { judged: [], waits: [] };
  const repository = await openStrangers(parts, snapshot);
  const queued = new Set(groups.map(({ number }) => number));
  const ordered = orderPulls(pulls, parts.turns, parts.startTurn);
  // Half of a round at most: the others have their turns too.
  const first = ordered.filter(({ number }) => queued.has(number)).slice(0, mostOthers / 2);
  const choice = {
    pulls: [...first, ...ordered.filter((pull) => !first.includes(pull))],
    repository,
    most: mostOthers,
    mostMs: mostOthersMs,
  };
  return judgePulls(parts, snapshot, choice);
}

async function postOnGroups(
  parts: FollowParts,
  snapshot: Snapshot,
  groups: readonly QueuedGroup[],
  judged: readonly JudgedPull[],
): Promise<void> {
  if (groups.length > 0) await judgeGroups(parts, await openStrangers(parts, snapshot), snapshot, groups, judged);
}

/** Rollbacks, and the checks that a merge queue waits for before it merges them. */
async function followUrgent(parts: FollowParts, snapshot: Snapshot): Promise<RollbackRound> {
  const { scm, base } = parts.link;
  const round = await followRollbacks(parts, snapshot);
  try {
    if (round.judged.length > 0) await postOnGroups(parts, snapshot, await scm.queuedGroups(base), round.judged);
  } catch (error) {
    // What was found and merged of the rollbacks counts all the same; the groups are read again in this round.
    parts.log.warn({ error }, "the merge groups of rollbacks could not be read");
  }
  return round;
}

/** Proposes stages, judges what is open, and merges stages. Returns what waits. */
async function followOthers(
  parts: FollowParts,
  snapshot: Snapshot,
  heads: Heads,
  rollbacks: RollbackRound,
): Promise<readonly Wait[]> {
  const { link } = parts;
  const listed = await link.scm.queuedGroups(link.base);
  const stages = await bringStages(parts, snapshot, heads);
  const open = stages?.open ?? (await link.scm.listOpenPullRequests(link.base));
  // A head that is a pull request's own, too, has only the checks of that one.
  const groups = listed.filter(({ headSha }) => !open.some((pull) => pull.headSha === headSha));
  forgetClosed(parts, open, groups);
  const done = new Set(rollbacks.judged.map(({ pull }) => pull.number));
  const isPostponed = findPostponed(snapshot, rollbacks, stages !== undefined);
  const left = open.filter((pull) => !done.has(pull.number) && !isPostponed(pull));
  const own = left.filter((pull) => stages !== undefined && isStageBranch(stages.head, pull));
  const choice = { pulls: own, repository: link.repository, wishes: listWishes(stages?.steps ?? []) };
  const judged = await judgePulls(parts, snapshot, choice);
  const both = [...rollbacks.judged, ...judged.judged];
  const waits = [...judged.waits, ...(stages === undefined ? [] : await finishStages(parts, snapshot, stages, both))];
  const others = await judgeOthers(
    parts,
    snapshot,
    left.filter((pull) => !own.includes(pull)),
    groups,
  );
  await postOnGroups(parts, snapshot, groups, [...judged.judged, ...others.judged]);
  return [...waits, ...others.waits];
}

function waitForLimit({ clock, log }: FollowParts, kept: Kept, error: unknown): Wait {
  log.warn({ error }, "what is left of the SCM's limit is kept for rollbacks; all else waits");
  const until = new Date(clock.now() + (readAsked(error) ?? 0)).toISOString();
  return makeWait("all", { code: "GitHubLimitKept", kept, until });
}

/**
 * One round over all open pull requests: rollbacks are proposed, judged and merged, then stages, then all others are judged.
 * Repeatable at any time. Returns what waits.
 */
export async function followOnce(parts: FollowParts, snapshot: Snapshot): Promise<readonly Wait[]> {
  const { link } = parts;
  // With its refs up to date, a fetch by id is small.
  const heads = await link.repository.fetch();
  const rollbacks = await link.scm.urgently(async () => followUrgent(parts, snapshot));
  // Main has changed: the others are judged by it in the next round, which follows at once.
  if (rollbacks.isMerged) return [...rollbacks.waits, ...parts.lastWaits];
  try {
    parts.lastWaits = await followOthers(parts, snapshot, heads, rollbacks);
  } catch (error) {
    const kept = findKept(error);
    if (kept === undefined) throw error;
    return [...rollbacks.waits, waitForLimit(parts, kept, error), ...parts.lastWaits];
  }
  return [...rollbacks.waits, ...parts.lastWaits];
}

/** The waits during an outage of the SCM or git: one for the checks, and one for each rollback. */
export function listOutage(snapshot: Snapshot, error: unknown): readonly Wait[] {
  const why = describeFault(error);
  const code = "GitHubUnavailable";
  const checks = makeWait("all", { code, why });
  const rollbacks = listRequestedRollbacks(snapshot).map((asked) =>
    waitForRollback(asked, { code, why, rollback: nameRollback(asked) }),
  );
  return [checks, ...rollbacks];
}
