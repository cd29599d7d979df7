import { z } from "zod";

/** That something may have changed. It says when to look, never what is there. */
export interface Hint {
  /** Main or the ledger may have moved: fetch. */
  readonly main: boolean;
  /** A pull request, a review, a check or a comment may have changed. */
  readonly pulls: boolean;
}

const push = z.object({ ref: z.string() });
const verdict = z.object({ action: z.string().optional(), state: z.string().optional() });
const change = z.object({ action: z.string() });
const pulls: Hint = { main: false, pulls: true };
const all: Hint = { main: true, pulls: true };

/** What changes whether the repository can be reached or written, and under which name; an edited description does not. */
const repositoryActions: readonly (string | undefined)[] = [
  "renamed",
  "transferred",
  "archived",
  "unarchived",
  "deleted",
];

/** A push to main or the ledger; a push to another branch comes with an event of its pull request. */
function readPush(payload: unknown, branch: string): Hint | undefined {
  const ref = push.safeParse(payload).data?.ref;
  if (ref === `refs/heads/${branch}`) return all;
  if (ref === "refs/heads/meshroll/ledger") return { main: true, pulls: false };
  return ref?.startsWith("refs/heads/meshroll/") === true ? pulls : undefined;
}

/** The start of a check changes nothing, and a large CI sends dozens of them per push. */
function readVerdict(payload: unknown): Hint | undefined {
  const { action, state = "pending" } = verdict.safeParse(payload).data ?? {};
  return action === "completed" || (action === undefined && state !== "pending") ? pulls : undefined;
}

/** A service whose repository is gone or back says so at once, and not only at its next poll. */
function readRepository(payload: unknown): Hint | undefined {
  return repositoryActions.includes(change.safeParse(payload).data?.action) ? all : undefined;
}

type Read = (payload: unknown, branch: string) => Hint | undefined;

/** By event of GitHub's or Gitea's. */
const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["push", readPush],
  ["pull_request", () => pulls],
  ["pull_request_review", () => pulls],
  ["pull_request_review_thread", () => pulls],
  // What Gitea calls a review: by its verdict, or without one.
  ["pull_request_approved", () => pulls],
  ["pull_request_rejected", () => pulls],
  ["pull_request_comment", () => pulls],
  ["issue_comment", () => pulls],
  ["merge_group", () => pulls],
  ["check_run", readVerdict],
  ["check_suite", readVerdict],
  ["status", readVerdict],
  ["repository", readRepository],
  ["installation", () => all],
  ["installation_repositories", () => all],
]);

/** The hint in an event of GitHub's or Gitea's; undefined for one that does not concern meshroll. */
export function readHint(event: string, payload: unknown, branch: string): Hint | undefined {
  return readers.get(event)?.(payload, branch);
}
