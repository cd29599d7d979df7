import type { PullRequest } from "#libs/scm";
import { listRequestedRollbacks, readStageBranch, type RequestedRollback, type Snapshot, type Spec } from "#libs/plan";
import { doEach } from "#libs/runtime";

import { followRollback, type RollbackStep, tellFailed } from "./rollback/follow-rollback.ts";
import { bringStages, finishStages, type StageFollow } from "./stages/follow-stages.ts";
import { type JudgedPull, type Judgement, judgePulls, keepOpen } from "./checks/judge-pulls.ts";
import { mergeRollback } from "./rollback/merge-rollback.ts";
import type { BranchWish } from "./ensure-branch.ts";
import type { StageStep } from "./stages/stage-step.ts";
import { orderPulls } from "./checks/order-pulls.ts";
import { describeFault, makeWait, type Wait } from "../loop/make-wait.ts";
import { isDown } from "./scm-link.ts";

/** What one round needs, and what only this process remembers between rounds. */
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
      steps.push({ asked, buckets: [], oldText: "", wait: tellFailed(parts.log, asked, error) }),
    isDown,
  });
  return steps;
}

async function finish(
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

/** Of a round, after its returns. */
interface RollbackRound extends Judgement {
  readonly isMerged: boolean;
  /** Branches of rollbacks that could not be followed in this round: their checks stay as they are. */
  readonly postponed: ReadonlySet<string>;
}

/** Rollbacks go first: no other pull request is read before each of them is as far as it can be. */
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
    const finished = await finish(parts, snapshot, step, judged);
    all.push(...finished.waits);
    isMerged ||= finished.isMerged;
  };
  await doEach(steps, finishOne, {
    onFault: ({ asked }, error) => all.push(tellFailed(parts.log, asked, error)),
    isDown,
  });
  return { judged, waits: all, isMerged, postponed };
}

/** Strangers' pull requests of one round, and how long it goes on to the next: so many cost GitHub a few hundred requests. */
const mostOthers = 40;
const mostOthersMs = 20_000;

/** Stages' own pull requests are judged by the clone that they were pushed from. */
function isStageBranch(head: Spec, { branch, fork }: PullRequest): boolean {
  return fork !== true && readStageBranch(branch, head.campaigns) !== undefined;
}

/**
 * True for pull requests of ours that this round cannot prove to be ours, because main or the ledger moved meanwhile: they are judged
 * in the next one. Judged as any other now, their approvals would turn pending and back, for two of the eight writes of their head.
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

/** All others, in turn; what a round has no time for is first in the next one. */
async function judgeOthers(parts: FollowParts, snapshot: Snapshot, pulls: readonly PullRequest[]): Promise<Judgement> {
  if (pulls.length === 0) return { judged: [], waits: [] };
  const { strangers } = parts.link;
  // Main is brought by name, so that only what a stranger added is fetched by id, with its limits.
  if (parts.strangersMain !== snapshot.main.head) await strangers.fetch();
  parts.strangersMain = snapshot.main.head;
  const choice = {
    pulls: orderPulls(pulls, parts.turns, parts.startTurn),
    repository: strangers,
    most: mostOthers,
    mostMs: mostOthersMs,
  };
  return judgePulls(parts, snapshot, choice);
}

/**
 * One round over all open pull requests: returns are brought on their way, judged and merged; then stages; then those of all
 * else's are judged and their checks posted. Repeatable at any time; answers what waits, by name.
 */
export async function followOnce(parts: FollowParts, snapshot: Snapshot): Promise<readonly Wait[]> {
  const { link } = parts;
  // The refs of this clone are what keeps a fetch by id small.
  const heads = await link.repository.fetch();
  const rollbacks = await followRollbacks(parts, snapshot);
  // Main is another one now: what is left is judged by it in the round that follows at once.
  if (rollbacks.isMerged) return [...rollbacks.waits, ...parts.others];
  const stages = await bringStages(parts, snapshot, heads);
  const open = stages?.open ?? (await link.scm.listOpenPullRequests(link.base));
  keepOpen(parts, open);
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
  );
  parts.others = [...waits, ...others.waits];
  return [...rollbacks.waits, ...parts.others];
}

/** What waits while GitHub or git does not answer: the checks, and each rollback. */
export function listOutage(snapshot: Snapshot, error: unknown): readonly Wait[] {
  const why = describeFault(error);
  const code = "GitHubUnavailable";
  const checks = makeWait("all", { code, why });
  const asked = listRequestedRollbacks(snapshot);
  return [
    checks,
    ...asked.map(({ run, stop }) => makeWait(`run/${run.id}`, { code, why, rollback: { run: run.id, who: stop.who } })),
  ];
}
