import { createHash } from "node:crypto";

import type { PullRequest } from "#libs/github";
import { judgePullRequest, mayJudge, type PullRequestVerdict, rolloutsPath, type World } from "#libs/plan";

import type { FirstSeen } from "./approvals/first-seen.ts";
import type { AuthorshipReader } from "./approvals/read-authorship.ts";
import type { PermissionReader } from "./approvals/read-permissions.ts";
import { waitForWriters } from "./approvals/wait-for-writers.ts";
import type { ForgeLink } from "./forge-link.ts";
import type { CheckPoster } from "./post-checks.ts";
import type { MergedReader } from "./read-merged.ts";
import type { TeamReader } from "./read-teams.ts";
import { describeFault, makeWait, type Wait } from "./waits.ts";
import type { WriteBudget } from "./write-budget.ts";

/** A pull request after its checks were posted. */
export interface JudgedPull {
  readonly pull: PullRequest;
  readonly verdict: PullRequestVerdict;
  readonly changed: readonly string[];
  /** `rollouts.yml` as its merge would leave it, when the merge is clean and changes a file of ours. */
  readonly text?: string;
  /** Since when GitHub shows this head, as far as it is known; epoch ms. */
  readonly shownAt: number;
  /** GitHub shows both checks as they were judged. */
  readonly isShown: boolean;
  /** Logins that posted or changed a check of ours on this head. */
  readonly intruders: readonly string[];
}

/** A short name for a long list, the same for the same text. */
export function digest(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** How pull requests are judged: what is remembered of them between rounds. */
export interface PullJudge {
  readonly link: ForgeLink;
  readonly reader: MergedReader;
  readonly poster: CheckPoster;
  readonly teams: TeamReader;
  readonly permissions: PermissionReader;
  readonly authorship: AuthorshipReader;
  readonly budget: WriteBudget;
  readonly seen: FirstSeen;
}

/** Undefined for a fork's head that nobody who may write asked to judge: nothing of it is fetched. */
async function judgeOne(judge: PullJudge, world: World, pull: PullRequest): Promise<JudgedPull | undefined> {
  const { link, reader, poster, budget } = judge;
  const reviews = await link.forge.reviews(pull.number);
  const permissions = await judge.permissions.read(link.forge, pull, reviews, world);
  if (!mayJudge(pull, reviews, permissions)) return undefined;
  const { files, changed } = await reader.read(link.repository, world.main.head, pull);
  const teams = await judge.teams.read(link.forge, world);
  const { authorship, pushedAt } = await judge.authorship.read(link.forge, pull);
  const asked = { pull, reviews, permissions, authorship, teams };
  const verdict = judgePullRequest({ ...asked, merged: files, world, digest });
  const checks = { "meshroll/plan": verdict.plan, "meshroll/approvals": verdict.approvals };
  const { isShown, intruders } = await poster.post(pull.headSha, checks, budget.leftForChecks(pull.headSha));
  const text = files.kind === "files" ? files.texts[rolloutsPath] : undefined;
  return {
    pull,
    verdict,
    changed,
    isShown,
    intruders,
    shownAt: Math.max(pull.createdAt, pushedAt ?? judge.seen.since(pull.headSha)),
    ...(text === undefined ? {} : { text }),
  };
}

function waitSpent({ number, author, branch }: PullRequest): Wait {
  const message = `pull request ${number} changed its mind too often: its checks stand as they were posted last`;
  const command = `git commit --allow-empty -m "Judge anew" && git push origin ${branch}`;
  return makeWait(`pull/${number}`, { code: "ChecksSpent", message, owner: author, command });
}

/** What they posted is replaced already: people shall know of it, and who may post such a check. */
function waitForeign({ pull: { number }, intruders }: JudgedPull): Wait {
  const who = intruders.join(", ");
  const message =
    `a check of meshroll on pull request ${number} was posted or changed by ${who}, and is replaced: ` +
    "require both checks from meshroll's app alone";
  return makeWait(`pull/${number}`, {
    code: "CheckForeign",
    message,
    owner: who,
    command: "meshroll doctor --only github",
  });
}

function waitUnjudged({ number, author }: PullRequest, error: unknown): Wait {
  const message = `pull request ${number} has no checks yet: ${describeFault(error)}`;
  return makeWait(`pull/${number}`, { code: "PullRequestUnread", message, owner: author });
}

/** Judges every open pull request, ours or not, and posts its checks (rules 10.1); one that cannot be read keeps no other waiting. */
export async function judgePulls(
  judge: PullJudge,
  world: World,
  pulls: readonly PullRequest[],
  isDown: (error: unknown) => boolean,
): Promise<{ readonly judged: readonly JudgedPull[]; readonly waits: readonly Wait[] }> {
  const heads = new Set(pulls.map(({ headSha }) => headSha));
  judge.poster.keep(heads);
  judge.reader.keep(world.main.head, heads);
  judge.budget.keep(heads);
  judge.authorship.keep(heads);
  judge.seen.keep(heads);
  const judged: JudgedPull[] = [];
  const waits: Wait[] = [];
  const unasked: PullRequest[] = [];
  for (const pull of pulls) {
    try {
      const each = await judgeOne(judge, world, pull);
      if (each === undefined) unasked.push(pull);
      else judged.push(each);
      if (each?.isShown === false) waits.push(waitSpent(pull));
      if (each !== undefined && each.intruders.length > 0) waits.push(waitForeign(each));
    } catch (error) {
      // GitHub or git is down for all of them: the round is over, and the next one begins anew.
      if (isDown(error)) throw error;
      waits.push(waitUnjudged(pull, error));
    }
  }
  return { judged, waits: [...waits, ...waitForWriters(unasked)] };
}
