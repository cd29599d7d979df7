import { lookUp } from "#libs/input";
import { GitRefused } from "#libs/git";
import type { PullRequest } from "#libs/scm";
import { nameClosedHold, type NextStage, printStageBranch, readStageBranch, type Snapshot } from "#libs/plan";

import type { ScmLink } from "../scm-link.ts";

/** Stands in front of the comment that we leave where we close a pull request: so its closing is told from a person's. */
export const closedMarker = "<!-- meshroll:closed -->";

/** A branch, and its pull request if it has one that counts. */
export interface FoundPull {
  readonly branch: string;
  readonly pull?: PullRequest;
}

/** More rounds than this of one stage are not ours: read again in the next round. */
const mostRounds = 50;

/** Closed by ourselves, since main had reached it: that is no person's word, and the branch may be used again. */
async function isTidiedUp({ scm }: ScmLink, { state, number, closedBy }: PullRequest): Promise<boolean> {
  if (state !== "closed") return false;
  // A personal token closes under its owner's name: only our comment distinguishes the two, and only one that we wrote.
  const comments = await scm.comments(number);
  return comments.some(
    ({ ours, author, body }) => ours === true && author === closedBy && body.startsWith(closedMarker),
  );
}

/** The merge that main has already: its round is over, though no run carries its list. */
async function isOnMain({ repository }: ScmLink, main: string, { state, mergeSha }: PullRequest): Promise<boolean> {
  if (state !== "merged" || mergeSha === undefined) return false;
  try {
    return await repository.contains(main, mergeSha);
  } catch (error) {
    if (error instanceof GitRefused) return false;
    throw error;
  }
}

/** A merge that main does not show after so many fetches was taken away again by a forced push, real ms. */
const lostAfterMs = 120_000;

/** What this process saw of merges that main does not show: by number, since when (real monotonic ms). */
export interface UnreadMerges {
  readonly since: Map<number, number>;
  readonly now: number;
}

/** It is not recorded, so only GitHub has it: the stage would wait for its commit for ever. */
function isLost({ state, number }: PullRequest, { since, now }: UnreadMerges): boolean {
  if (state !== "merged") return false;
  const first = since.get(number) ?? now;
  since.set(number, first);
  return now - first >= lostAfterMs;
}

/** A person closed it, and the ledger has the hold for that: what came of it is said there. */
function isHeldFor({ ledger }: Snapshot, { state, number }: PullRequest): boolean {
  return state === "closed" && lookUp(ledger?.stops, nameClosedHold(number)) !== undefined;
}

/** Of a branch, newest first; one to another branch than the protected one proposes nothing to main, whatever its name. */
export async function findPullsToBase({ scm, base }: ScmLink, branch: string): Promise<readonly PullRequest[]> {
  return (await scm.findPullRequests(branch)).filter((pull) => pull.base === base);
}

/** Finds what a stage's branch has on GitHub; a round that is over beyond doubt is stepped over (rules 10.3). */
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
    if (newest === undefined || (await isTidiedUp(link, newest))) return { branch };
    const isRecorded = isHeldFor(snapshot, newest) || (await isOnMain(link, snapshot.main.head, newest));
    const isOver = isRecorded || isLost(newest, unread);
    if (!isOver) return { branch, pull: newest };
    branch = printStageBranch({ campaign: next.campaign.name, stage: next.stage.name, round: round + 1 });
  }
  return { branch };
}
