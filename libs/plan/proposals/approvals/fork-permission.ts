import type { PermissionFact, PullRequestFacts, ReviewFacts } from "../judging/pull-request-facts.ts";
import { isPerson, mayWrite } from "./count-votes.ts";

/** The first line of a review that lets meshroll judge its head. */
export const judgeCommand = "/meshroll judge";

/** Whether a review lets meshroll judge a fork's head, if its author has write access. */
export function asksForJudging(review: ReviewFacts): boolean {
  const isAsking = review.state === "approved" || (review.state !== "dismissed" && review.line === judgeCommand);
  return isAsking && isPerson(review);
}

/**
 * Whether the head may be fetched and judged: it is in the repository itself, or an account with write access requested exactly
 * this head. A later push is another head.
 */
export function mayJudge(
  { fork, headSha }: Pick<PullRequestFacts, "fork" | "headSha">,
  reviews: readonly ReviewFacts[],
  permissions: ReadonlyMap<string, PermissionFact>,
): boolean {
  if (fork !== true) return true;
  return reviews.some(
    (review) => mayWrite({ permissions }, review.author) && review.commit === headSha && asksForJudging(review),
  );
}
