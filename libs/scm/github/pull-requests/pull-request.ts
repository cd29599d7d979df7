import { lookUp } from "#libs/input";
import { z } from "zod";

import { parseAnswer } from "../../http/parse-answer.ts";
import { readFirstLine } from "../../port/first-line.ts";
import type { PullRequest, Review } from "../../port/port.ts";

/** Null: the account was deleted. */
const user = z.object({ login: z.string(), type: z.string().optional() }).nullable();

/** Null: the fork was deleted. */
const repository = z.object({ full_name: z.string() }).nullish();

const pullRequest = z.object({
  number: z.int(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  html_url: z.string(),
  user,
  head: z.object({ ref: z.string(), sha: z.string(), repo: repository }),
  base: z.object({ ref: z.string(), repo: repository }),
  merged_at: z.string().nullish(),
  merged_by: user.optional(),
  merge_commit_sha: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() })),
  created_at: z.iso.datetime(),
  closed_at: z.iso.datetime().nullish(),
});

const closing = z.object({ closed_by: user.optional() });
const member = z.object({ login: z.string() });

const review = z.object({
  user,
  state: z.string(),
  commit_id: z.string().nullish(),
  submitted_at: z.iso.datetime({ offset: true }).nullish(),
  body: z.string().nullish(),
});

/** The branch is in another repository; false where the answer names no repositories. */
function isFork({ head, base }: z.infer<typeof pullRequest>): boolean {
  return head.repo === null || (head.repo !== undefined && head.repo.full_name !== base.repo?.full_name);
}

type Read = z.infer<typeof pullRequest>;

function describeMerge({ merged_by: by, merge_commit_sha: sha }: Read): Pick<PullRequest, "mergedBy" | "mergeSha"> {
  return {
    ...(by?.login === undefined ? {} : { mergedBy: by.login }),
    ...(typeof sha === "string" ? { mergeSha: sha } : {}),
  };
}

function describeClosing({ closed_at: at }: Read): Pick<PullRequest, "closedAt"> {
  return typeof at === "string" ? { closedAt: Date.parse(at) } : {};
}

/** GitHub's pull request in our form. `merge_commit_sha` of an open one is a trial merge and is left out. */
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
    labels: pull.labels.map(({ name }) => name),
    createdAt: Date.parse(pull.created_at),
    ...(isFork(pull) ? { fork: true } : {}),
    ...(merged ? describeMerge(pull) : describeClosing(pull)),
  };
}

/** Who closed it, from the issue of the same number: the pull request itself does not say. */
export function toCloser(data: unknown, doing: string): string | undefined {
  return parseAnswer(closing, data, doing).closed_by?.login;
}

export function toLogins(data: unknown, doing: string): readonly string[] {
  return parseAnswer(z.array(member), data, doing).map(({ login }) => login);
}

const reviewStates: Readonly<Record<string, Review["state"]>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changesRequested",
  COMMENTED: "commented",
  DISMISSED: "dismissed",
};

function toReview({ user: by, commit_id, submitted_at, body }: z.infer<typeof review>, state: Review["state"]): Review {
  const line = readFirstLine(body ?? "");
  return {
    author: by?.login ?? "ghost",
    state,
    commit: commit_id ?? "",
    at: Date.parse(submitted_at ?? "") || 0,
    ...(by?.type === "Bot" ? { bot: true } : {}),
    ...(line === "" ? {} : { line }),
  };
}

/** Submitted reviews, oldest first; pending ones are left out. */
export function toReviews(data: unknown, doing: string): readonly Review[] {
  return parseAnswer(z.array(review), data, doing).flatMap((entry) => {
    const state = lookUp(reviewStates, entry.state);
    return state === undefined ? [] : [toReview(entry, state)];
  });
}
