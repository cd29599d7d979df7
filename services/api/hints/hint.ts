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
const pulls: Hint = { main: false, pulls: true };

/** A push to main or the ledger; a push to another branch comes with an event of its pull request. */
function readPush(payload: unknown, branch: string): Hint | undefined {
  const ref = push.safeParse(payload).data?.ref;
  if (ref === `refs/heads/${branch}`) return { main: true, pulls: true };
  if (ref === "refs/heads/meshroll/ledger") return { main: true, pulls: false };
  return ref?.startsWith("refs/heads/meshroll/") === true ? pulls : undefined;
}

/** The start of a check changes nothing, and a large CI sends dozens of them per push. */
function readVerdict(payload: unknown): Hint | undefined {
  const { action, state = "pending" } = verdict.safeParse(payload).data ?? {};
  return action === "completed" || (action === undefined && state !== "pending") ? pulls : undefined;
}

/** Events of a pull request, a review or a comment. */
const ofPulls: ReadonlySet<string> = new Set([
  "pull_request",
  "pull_request_review",
  "issue_comment",
  // What Gitea calls a review: by its verdict, or without one.
  "pull_request_approved",
  "pull_request_rejected",
  "pull_request_comment",
]);

/** The hint in an event of GitHub's or Gitea's; undefined for one that does not concern meshroll. */
export function readHint(event: string, payload: unknown, branch: string): Hint | undefined {
  if (ofPulls.has(event)) return pulls;
  switch (event) {
    case "push":
      return readPush(payload, branch);
    case "check_run":
    case "check_suite":
    case "status":
      return readVerdict(payload);
    default:
      return undefined;
  }
}
