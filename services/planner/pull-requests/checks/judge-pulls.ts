import { GitOverLimit, type RolloutsRepository } from "#libs/git";
import type { PullRequest, QueuedGroup, Review } from "#libs/scm";
import { judgeCommand, mayJudge, type PullRequestQuestion, type Snapshot } from "#libs/plan";
import type { PullRequestVerdict } from "#libs/wording";
import { type Clock, doEach } from "#libs/runtime";

import { type BranchWish, isMadeByUs } from "../ensure-branch.ts";
import type { CommitReader } from "../approvals/read-commits.ts";
import { readEarlier } from "../approvals/read-earlier.ts";
import type { PermissionReader, Permissions } from "../approvals/read-permissions.ts";
import { findKept, isDown, type ScmLink } from "../scm-link.ts";
import { JudgeUnavailable, refusePull, waitRefused } from "./refuse-pull.ts";
import type { CheckPoster } from "./post-checks.ts";
import type { MergedReader } from "../reading/read-merged.ts";
import type { TeamReader } from "../reading/read-teams.ts";
import type { Refusal, RefusedHeads } from "./refused-heads.ts";
import { describeFault, makeWait, type Wait } from "../../loop/make-wait.ts";
import type { WriteBudget } from "./write-budget.ts";

/** A pull request whose checks were posted. */
export interface JudgedPull {
  readonly pull: PullRequest;
  readonly verdict: PullRequestVerdict;
  readonly changed: readonly string[];
  /** `rollouts.yml` after the merge; absent when the merge conflicts or changes none of our files. */
  readonly text?: string;
  /** The SCM shows both checks with the states of the verdict. */
  readonly isShown: boolean;
  /** Logins that posted or changed one of our checks on this head. */
  readonly intruders: readonly string[];
  /** Those of them whose check could not be replaced. */
  readonly remaining: readonly string[];
}

/** What judging needs, and what it remembers between rounds. */
export interface PullJudge {
  readonly link: ScmLink;
  readonly reader: MergedReader;
  readonly poster: CheckPoster;
  readonly teams: TeamReader;
  readonly permissions: PermissionReader;
  readonly commits: CommitReader;
  readonly budget: WriteBudget;
  readonly refused: RefusedHeads;
  /** By number: a counter that says in which order they were judged last. */
  readonly turns: Map<number, number>;
  /** At which pull request this process starts among those that it has not judged. */
  readonly startTurn: number;
  readonly clock: Clock;
  /** The commit of main that clone `strangers` fetched last. */
  strangersMain: string | undefined;
}

/** The result of judging some pull requests. */
export interface Judgement {
  readonly judged: readonly JudgedPull[];
  readonly waits: readonly Wait[];
}

/** Which pull requests to judge, with which clone, and the limits. */
export interface PullChoice {
  readonly pulls: readonly PullRequest[];
  readonly repository: RolloutsRepository;
  /** By name of the branches that we push; absent = none of these pull requests is ours. */
  readonly wishes?: ReadonlyMap<string, BranchWish>;
  /** Limits of real ms and of number; absent = none. */
  readonly mostMs?: number;
  readonly most?: number;
}

/** What the pull request is for, if our account opened it and its head is the commit that we made; empty otherwise. */
async function findOrigin(
  { link }: PullJudge,
  { repository, wishes }: PullChoice,
  { author, branch, fork, headSha }: PullRequest,
): Promise<Pick<PullRequestQuestion, "own">> {
  const wish = fork === true ? undefined : wishes?.get(branch);
  if (wish === undefined || wish.needsApproval === true || (await link.scm.ownLogin()) !== author) return {};
  return (await isMadeByUs({ ...link, repository }, headSha, wish)) ? { own: wish.origin } : {};
}

/** The last approval of this head by each account that may write: no other approval can count. */
function listGiven({ headSha }: PullRequest, reviews: readonly Review[], permissions: Permissions): readonly Review[] {
  const last = new Map<string, Review>();
  for (const review of reviews) {
    const login = review.author.toLowerCase();
    const isGiven = review.state === "approved" && review.commit === headSha;
    if (isGiven && ["admin", "write"].includes(permissions.get(login) ?? "")) last.set(login, review);
  }
  return [...last.values()];
}

/** Undefined for a fork that no account with write access asked to judge: nothing of it is fetched then. */
async function judgeHead(
  judge: PullJudge,
  choice: PullChoice,
  snapshot: Snapshot,
  pull: PullRequest,
): Promise<JudgedPull | Refusal | undefined> {
  const { repository } = choice;
  const { link, reader, poster, budget } = judge;
  const reviews = await link.scm.reviews(pull.number);
  const permissions = await judge.permissions.read(link.scm, pull, reviews, snapshot);
  if (!mayJudge(pull, reviews, permissions)) return undefined;
  const { read, changed } = await reader.read(repository, snapshot.main.head, pull);
  const teams = await judge.teams.read(link.scm, snapshot);
  const commits = await judge.commits.read(link.scm, pull);
  const earlier = await readEarlier(reader, repository, snapshot, pull, listGiven(pull, reviews, permissions));
  const origin = await findOrigin(judge, choice, pull);
  const answer = await link.judge.judge(snapshot, {
    pull,
    ...origin,
    reviews,
    permissions,
    commits,
    teams,
    read,
    earlier,
  });
  if (answer.kind === "unavailable") throw new JudgeUnavailable(answer.why);
  if (answer.kind === "refused") return answer;
  const { verdict } = answer;
  const checks = { "meshroll/plan": verdict.plan, "meshroll/approvals": verdict.approvals };
  const { isShown, intruders, remaining } = await poster.post(pull.headSha, checks, budget.leftForChecks(pull.headSha));
  const text = read.kind === "files" ? read.texts.rollouts : undefined;
  return {
    pull,
    verdict,
    changed,
    isShown,
    intruders,
    remaining,
    ...(text === undefined ? {} : { text }),
  };
}

/** The same, but a pull request that exceeds git's limits is a refusal. */
async function judgeOne(...of: Parameters<typeof judgeHead>): ReturnType<typeof judgeHead> {
  try {
    return await judgeHead(...of);
  } catch (error) {
    if (error instanceof GitOverLimit) return { code: "GitOverLimit", why: error.message };
    throw error;
  }
}

/** One wait for all pull requests from forks that are not judged yet. */
function waitForUnaskedForks(pulls: readonly PullRequest[]): readonly Wait[] {
  if (pulls.length === 0) return [];
  const numbers = pulls.map(({ number }) => number);
  return [makeWait("all", { code: "ForkUnasked", numbers, request: judgeCommand })];
}

function waitSpent({ number, author, branch }: PullRequest): Wait {
  return makeWait(`pull/${number}`, { code: "ChecksSpent", number, author, branch });
}

/** Tells people that another account posted our check, which account, and whether that check still counts. */
function waitForeign({ pull: { number }, intruders, remaining }: JudgedPull): Wait {
  return makeWait(`pull/${number}`, { code: "CheckForeign", number, intruders, remaining });
}

function waitUnjudged({ number, author }: PullRequest, error: unknown): Wait {
  return makeWait(`pull/${number}`, { code: "PullRequestUnread", number, author, why: describeFault(error) });
}

function waitQueued(count: number): Wait {
  return makeWait("all", { code: "ChecksQueued", count });
}

/** After so many errors of the SCM or git in a row they count as down; fewer may come from one large pull request. */
const mostFaults = 3;

/** The results of a round so far. */
interface Findings {
  readonly judged: JudgedPull[];
  readonly waits: Wait[];
  readonly unasked: PullRequest[];
}

async function judgeOrRefuse(
  judge: PullJudge,
  choice: PullChoice,
  snapshot: Snapshot,
  pull: PullRequest,
  { judged, waits, unasked }: Findings,
): Promise<void> {
  const before = judge.refused.find(pull.headSha);
  if (before !== undefined) return void waits.push(waitRefused(pull, before, judge.clock));
  const each = await judgeOne(judge, choice, snapshot, pull);
  if (each === undefined) return void unasked.push(pull);
  if ("why" in each) return void waits.push(await refusePull(judge, pull, each));
  judge.refused.forget(pull.headSha);
  judged.push(each);
  if (!each.isShown) waits.push(waitSpent(pull));
  if (each.intruders.length > 0) waits.push(waitForeign(each));
}

/**
 * Judges pull requests in this order and posts their checks (rules 10.1). One that exceeds limits or cannot be read is reported
 * as a wait, and the next one is judged; only an outage of the SCM, git or the judge ends the round.
 */
export async function judgePulls(judge: PullJudge, snapshot: Snapshot, choice: PullChoice): Promise<Judgement> {
  const { pulls, most = pulls.length, mostMs = Number.POSITIVE_INFINITY } = choice;
  const began = judge.clock.monotonic();
  const findings: Findings = { judged: [], waits: [], unasked: [] };
  let [done, faults] = [0, 0];
  const judgeNext = async (pull: PullRequest): Promise<void> => {
    if (done >= most || judge.clock.monotonic() - began >= mostMs) return;
    done += 1;
    judge.turns.set(pull.number, Math.max(0, ...judge.turns.values()) + 1);
    await judgeOrRefuse(judge, choice, snapshot, pull, findings);
    faults = 0;
  };
  await doEach(pulls, judgeNext, {
    onFault: (pull, error) => findings.waits.push(waitUnjudged(pull, error)),
    isDown: (error) => {
      faults = isDown(error) ? faults + 1 : 0;
      return error instanceof JudgeUnavailable || findKept(error) !== undefined || faults >= mostFaults;
    },
  });
  const queued = done < pulls.length ? [waitQueued(pulls.length - done)] : [];
  return { judged: findings.judged, waits: [...findings.waits, ...queued, ...waitForUnaskedForks(findings.unasked)] };
}

/** Forgets what concerns no open pull request, and no group of the merge queue. */
export function forgetClosed(judge: PullJudge, pulls: readonly PullRequest[], groups: readonly QueuedGroup[]): void {
  const heads = new Set([...pulls, ...groups].map(({ headSha }) => headSha));
  const numbers = new Set(pulls.map(({ number }) => number));
  judge.poster.retain(heads);
  judge.reader.retain(heads);
  judge.budget.retain(heads);
  judge.commits.retain(heads);
  judge.refused.retain(heads);
  for (const number of judge.turns.keys()) if (!numbers.has(number)) judge.turns.delete(number);
}
