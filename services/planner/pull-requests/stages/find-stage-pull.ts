import { lookUp } from "#libs/input";
import { GitRefused } from "#libs/git";
import type { PullRequest } from "#libs/scm";
import { nameClosedHold, type NextStage, printStageBranch, readStageBranch, type Snapshot } from "#libs/plan";

import type { ScmLink } from "../scm-link.ts";

/** Begins our comment on a pull request that we close: without it, a closing counts as a person's. */
export const closedMarker = "<!-- meshroll:closed -->";

/** A stage's branch, and its pull request, if it has one that counts. */
export interface FoundPull {
  readonly branch: string;
  readonly pull?: PullRequest;
}

/** No stage is proposed so often: a limit against searching without end. */
const mostRounds = 50;

/** True if meshroll closed it because main had reached the stage: it places no hold, and the branch may be used again. */
async function isClosedByUs({ scm }: ScmLink, { state, number, closedBy }: PullRequest): Promise<boolean> {
  if (state !== "closed") return false;
  // With a personal token we close under its owner's name, so only our own comment tells the two apart.
  const comments = await scm.comments(number);
  return comments.some(
    ({ ours, author, body }) => ours === true && author === closedBy && body.startsWith(closedMarker),
  );
}

/** True if main contains the merge: this round is over, even if no run has its list. */
async function isOnMain({ repository }: ScmLink, main: string, { state, mergeSha }: PullRequest): Promise<boolean> {
  if (state !== "merged" || mergeSha === undefined) return false;
  try {
    return await repository.contains(main, mergeSha);
  } catch (error) {
    if (error instanceof GitRefused) return false;
    throw error;
  }
}

/** How long a merge may be missing from main before it counts as removed by a forced push, real ms. */
const lostAfterMs = 120_000;

/** Merges that the SCM reports and main does not contain: by number, since when (real monotonic ms). */
export interface UnreadMerges {
  readonly since: Map<number, number>;
  readonly now: number;
}

/** True if the merge was removed from main: no record of it will come, and the stage would wait for ever. */
function isLost({ state, number }: PullRequest, { since, now }: UnreadMerges): boolean {
  if (state !== "merged") return false;
  const first = since.get(number) ?? now;
  since.set(number, first);
  return now - first >= lostAfterMs;
}

/** True if a person closed it and the ledger has the hold for that: the rest follows from the hold. */
function isHeldFor({ ledger }: Snapshot, { state, number }: PullRequest): boolean {
  return state === "closed" && lookUp(ledger?.stops, nameClosedHold(number)) !== undefined;
}

/** Pull requests of a branch to the protected branch, newest first; one to another branch proposes nothing to main. */
export async function findPullsToBase({ scm, base }: ScmLink, branch: string): Promise<readonly PullRequest[]> {
  return (await scm.findPullRequests(branch)).filter((pull) => pull.base === base);
}

/** Finds a stage's branch and its pull request on the SCM; rounds that are over for certain are passed over (rules 10.3). */
export async function findStagePull(
  link: ScmLink,
  snapshot: Snapshot,
  next: NextStage,
  unread: UnreadMerges,
): Promise<FoundPull> {
  const campaigns = new Map([[next.campaign.name, next.campaign]]);
  const named = readStageBranch(next.branch, campaigns);
  let branch = next.branch;
  for (let round = named?.round ?? 1; round < mostRounds; round += 1) {
    const pulls = await findPullsToBase(link, branch);
    const newest = pulls.find(({ state }) => state === "open") ?? pulls[0];
    if (newest === undefined || (await isClosedByUs(link, newest))) return { branch };
    const isRecorded = isHeldFor(snapshot, newest) || (await isOnMain(link, snapshot.main.head, newest));
    const isOver = isRecorded || isLost(newest, unread);
    if (!isOver) return { branch, pull: newest };
    branch = printStageBranch({ campaign: next.campaign.name, stage: next.stage.name, round: round + 1 });
  }
  return { branch };
}
