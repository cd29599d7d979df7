import { z } from "zod";

import { ForgeUnavailable } from "./errors.ts";
import type { PullRequest, Review } from "./port.ts";

/** A deleted account is null on the wire. */
const user = z.object({ login: z.string() }).nullable();

const pullRequest = z.object({
  number: z.int(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  html_url: z.string(),
  user,
  head: z.object({ ref: z.string(), sha: z.string() }),
  base: z.object({ ref: z.string() }),
  merged_at: z.string().nullish(),
  merged_by: user.optional(),
  merge_commit_sha: z.string().nullish(),
});

const review = z.object({ user, state: z.string(), commit_id: z.string().nullish() });

/** Only what we use of GitHub's answers; half an answer or a proxy's page is "unavailable", never a guess. */
export function parseAnswer<T>(schema: z.ZodType<T>, data: unknown, doing: string): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new ForgeUnavailable(
    `${doing} failed: the answer is not GitHub's (${z.prettifyError(parsed.error)}); it is tried again by itself`,
  );
}

/** GitHub's pull request in our words. `merge_commit_sha` of an open one is a trial merge, not a commit of main. */
export function toPullRequest(data: unknown, doing: string): PullRequest {
  const pull = parseAnswer(pullRequest, data, doing);
  const merged = typeof pull.merged_at === "string";
  return {
    number: pull.number,
    title: pull.title,
    branch: pull.head.ref,
    base: pull.base.ref,
    headSha: pull.head.sha,
    state: merged ? "merged" : pull.state,
    url: pull.html_url,
    author: pull.user?.login ?? "ghost",
    ...(merged && pull.merged_by?.login !== undefined ? { mergedBy: pull.merged_by.login } : {}),
    ...(merged && typeof pull.merge_commit_sha === "string" ? { mergeSha: pull.merge_commit_sha } : {}),
  };
}

const reviewStates: Readonly<Record<string, Review["state"]>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changesRequested",
  COMMENTED: "commented",
  DISMISSED: "dismissed",
};

/** Reviews that were submitted, oldest first; a pending one is nobody's word yet. */
export function toReviews(data: unknown, doing: string): readonly Review[] {
  const reviews: Review[] = [];
  for (const entry of parseAnswer(z.array(review), data, doing)) {
    const state = reviewStates[entry.state];
    if (state !== undefined)
      reviews.push({ author: entry.user?.login ?? "ghost", state, commit: entry.commit_id ?? "" });
  }
  return reviews;
}
