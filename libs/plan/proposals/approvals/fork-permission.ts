import type { PermissionFact, PullRequestFacts, ReviewFacts } from "../judging/pull-request-facts.ts";
import { isPerson } from "./count-votes.ts";

/** The first line of a review that asks meshroll to judge the head it looks at. */
export const judgeCommand = "/meshroll judge";

/** True for a review that lets meshroll judge a fork's head, if its author may write. */
export function asksForJudging(review: ReviewFacts): boolean {
  const isAsking = review.state === "approved" || (review.state !== "dismissed" && review.line === judgeCommand);
  return isAsking && isPerson(review);
}

/**
 * True when the head may be fetched and judged: it lies in the repository itself, or an account with write access requested
 * exactly this head. A stranger's push after that is another head.
 */
export function mayJudge(
  { fork, headSha }: Pick<PullRequestFacts, "fork" | "headSha">,
  reviews: readonly ReviewFacts[],
  permissions: ReadonlyMap<string, PermissionFact>,
): boolean {
  if (fork !== true) return true;
  return reviews.some((review) => {
    const permission = permissions.get(review.author.toLowerCase());
    const isWriter = permission === "write" || permission === "admin";
    return isWriter && review.commit === headSha && asksForJudging(review);
  });
}
