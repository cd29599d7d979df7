import { lookUp } from "#libs/input";
import { z } from "zod";

import { parseAnswer } from "../http/parse-answer.ts";
import { readFirstLine } from "../port/first-line.ts";
import type { PullRequest, Review } from "../port/port.ts";

/** Null or without a login: the account was deleted. */
const user = z.object({ login: z.string() }).nullish();
const place = z.object({ label: z.string(), sha: z.string(), repo_id: z.int() });

const pullRequest = z.object({
  number: z.int(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  html_url: z.string(),
  user,
  head: place,
  base: place,
  merged: z.boolean(),
  merged_by: user,
  merge_commit_sha: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  created_at: z.iso.datetime({ offset: true }),
  closed_at: z.iso.datetime({ offset: true }).nullish(),
});

type Read = z.infer<typeof pullRequest>;

/** Gitea's name for a deleted account. */
const ghost = "Ghost";

/** The login of an account; undefined where it was deleted. */
export function toLogin(account: z.infer<typeof user>): string | undefined {
  const login = account?.login ?? "";
  return login === "" || login === ghost ? undefined : login;
}

function describeEnd(pull: Read): Pick<PullRequest, "mergedBy" | "mergeSha" | "closedAt"> {
  const { merged, merged_by: by, merge_commit_sha: sha, closed_at: at } = pull;
  if (!merged) return typeof at === "string" ? { closedAt: Date.parse(at) } : {};
  const login = toLogin(by);
  return {
    ...(login === undefined ? {} : { mergedBy: login }),
    ...(typeof sha === "string" && sha !== "" ? { mergeSha: sha } : {}),
  };
}

/**
 * True where the branch is not in this repository. `repo_id` -1: the fork was deleted. An empty label: pushed to
 * `refs/for/main` by any reader, and Gitea names this repository as its place.
 */
function isFromElsewhere({ head, base }: Read): boolean {
  return head.repo_id !== base.repo_id || head.label === "";
}

/** Gitea's pull request in our form. `head.ref` changes once the branch is deleted; the label stays the branch's name. */
export function toPullRequest(data: unknown, doing: string): PullRequest {
  const pull = parseAnswer(pullRequest, data, doing);
  return {
    number: pull.number,
    title: pull.title,
    branch: pull.head.label,
    base: pull.base.label,
    headSha: pull.head.sha,
    state: pull.merged ? "merged" : pull.state,
    url: pull.html_url,
    author: toLogin(pull.user) ?? "ghost",
    labels: (pull.labels ?? []).map(({ name }) => name),
    createdAt: Date.parse(pull.created_at),
    ...(isFromElsewhere(pull) ? { fork: true } : {}),
    ...describeEnd(pull),
  };
}

const text = z.object({ title: z.string(), body: z.string().nullish() });

export function toText(data: unknown, doing: string): { readonly title: string; readonly body: string } {
  const { title, body } = parseAnswer(text, data, doing);
  return { title, body: (body ?? "").replaceAll("\r\n", "\n") };
}

const review = z.object({
  user,
  state: z.string(),
  commit_id: z.string().nullish(),
  submitted_at: z.iso.datetime({ offset: true }).nullish(),
  body: z.string().nullish(),
  dismissed: z.boolean().nullish(),
});

const states: Readonly<Record<string, Review["state"]>> = {
  APPROVED: "approved",
  REQUEST_CHANGES: "changesRequested",
  COMMENT: "commented",
};

/** Submitted reviews, oldest first. Gitea does not say which accounts are bots. */
export function toReviews(data: unknown, doing: string): readonly Review[] {
  return parseAnswer(z.array(review), data, doing).flatMap((entry) => {
    const { user: by, state: word, commit_id, submitted_at, body, dismissed } = entry;
    const state = lookUp(states, word);
    if (state === undefined) return [];
    const line = readFirstLine(body ?? "");
    return {
      author: toLogin(by) ?? "ghost",
      state: dismissed === true ? ("dismissed" as const) : state,
      commit: commit_id ?? "",
      at: Date.parse(submitted_at ?? "") || 0,
      ...(line === "" ? {} : { line }),
    };
  });
}
