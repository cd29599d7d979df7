import type { MergeDemand, ReviewRule } from "#libs/wording";

import type { LedgerRules } from "./ledger-rules.ts";

/** A pull request in our words. */
export interface PullRequest {
  readonly number: number;
  readonly title: string;
  readonly branch: string;
  readonly base: string;
  readonly headSha: string;
  readonly state: "open" | "merged" | "closed";
  readonly url: string;
  readonly author: string;
  readonly labels: readonly string[];
  /** Epoch ms. */
  readonly createdAt: number;
  /** The branch lies in a fork: its name says nothing, and is never one of ours. */
  readonly fork?: true;
  readonly mergedBy?: string;
  /** The commit on the protected branch that the merge made. */
  readonly mergeSha?: string;
  /** Of one that was closed unmerged: who did, as far as GitHub says, and when (epoch ms). */
  readonly closedBy?: string;
  readonly closedAt?: number;
}

export interface PullRequestDraft {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

/** A commit of a pull request, by the accounts that the SCM knows behind the addresses in it. */
export interface PullCommit {
  readonly sha: string;
  /** Login; absent: no account has that address. The writer of a commit chooses the address freely. */
  readonly author?: string;
  /** The same. */
  readonly committer?: string;
}

export interface Review {
  readonly author: string;
  /** A machine's account: its approval does not count. */
  readonly bot?: true;
  readonly state: "approved" | "changesRequested" | "commented" | "dismissed";
  /** The head that was looked at. */
  readonly commit: string;
  /** When it was submitted, epoch ms by the SCM's clock; 0 = not known. */
  readonly at: number;
  /** The first line of what was written with it; absent: nothing was. */
  readonly line?: string;
}

export type MergeOutcome =
  | { readonly kind: "merged"; readonly sha: string }
  /** Protection, a conflict or a moved head: what GitHub said, and which demands of the branch it does not meet, where that is told. */
  | { readonly kind: "refused"; readonly why: string; readonly demands?: readonly MergeDemand[] };

/** One of our checks on a commit; branch protection requires it by name. */
export interface Check {
  readonly name: "meshroll/plan" | "meshroll/approvals";
  readonly headSha: string;
  /** Neutral, where a commit status is all that the token may write, is shown as pending. */
  readonly state: "success" | "failure" | "pending" | "neutral";
  /** One line, shown next to the name. */
  readonly title: string;
  /** Markdown; at most 65,535 characters. */
  readonly summary: string;
  /** Where a click on it leads; absent = to GitHub's own page. */
  readonly detailsUrl?: string;
}

/** What protection reads on a commit under one of our names: the newest of its form, no matter who posted it. */
export interface PostedCheck extends Check {
  readonly form: "run" | "status";
  /** The login that posted it; an app's ends in `[bot]`. */
  readonly by: string;
  /** Ours beyond doubt, as far as this token can tell; the mark that a check run carries is no proof. */
  readonly own: boolean;
}

export interface Comment {
  readonly id: number;
  readonly author: string;
  /** Written by this very token, as GitHub says; a text that looks like ours is not. */
  readonly ours?: true;
  readonly body: string;
  /** Epoch ms. */
  readonly at: number;
}

/** A comment on any issue or pull request of the repository, for the reader of new ones. */
export interface NewComment extends Comment {
  /** Of the issue or pull request. */
  readonly number: number;
  /** A machine's account. */
  readonly bot?: true;
  /**
   * GitHub counts its author among the owners, members and collaborators, and says so in the list. It gives no right, and may be
   * absent of one who has rights: where the token may not see who belongs to the organisation. Of Gitea it is true for all.
   */
  readonly isMember?: true;
  /** Epoch ms of the last edit, in whole seconds; `at` when there was none. */
  readonly editedAt: number;
}

/** What an account may do in the repository, as GitHub says it; `unknown`: this token may not ask. */
export type Permission = "admin" | "write" | "read" | "none" | "unknown";

/** An issue that is no pull request. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  /** Written by this very token, as GitHub says. */
  readonly ours?: true;
  readonly url: string;
}

export interface IssueDraft {
  readonly title: string;
  /** Begins with a marker by which it is found again. */
  readonly body: string;
  readonly label: string;
}

export type DeploymentState = "queued" | "in_progress" | "success" | "failure" | "inactive";

/** What a merged commit does to an environment, as GitHub shows it next to the commit. */
export interface Deployment {
  readonly sha: string;
  readonly environment: string;
  readonly state: DeploymentState;
  readonly description: string;
}

/**
 * The SCM where people review: pull requests of the rollouts repository. Throws `ScmUnavailable` (retry) or
 * `ScmRefused` (a person must fix it).
 */
export interface Scm {
  /** Opens one, or answers the open one that the branch already has (a lost answer must not make a second). */
  openPullRequest(draft: PullRequestDraft): Promise<PullRequest>;
  /** By branch name, any state, newest first. */
  findPullRequests(branch: string): Promise<readonly PullRequest[]>;
  /** Rewrites title and body, when they say something else; answers whether they did. */
  updatePullRequest(number: number, text: Pick<PullRequestDraft, "title" | "body">): Promise<boolean>;
  /** Closes it unmerged; one that is over already stays as it is. Its branch stays. */
  closePullRequest(number: number): Promise<void>;
  /** Adds labels next to those it has; one that the repository does not know yet is made. */
  addLabels(number: number, labels: readonly string[]): Promise<void>;
  /** Logins of a team of the organisation; undefined when there is no such team, or this token may not see it. */
  teamMembers(slug: string): Promise<readonly string[] | undefined>;
  /** The pull request whose merge made this commit, if one did. */
  findByMergeCommit(sha: string): Promise<PullRequest | undefined>;
  /** Every open pull request to the branch, oldest first. */
  listOpenPullRequests(base: string): Promise<readonly PullRequest[]>;
  /** Makes ours the check that counts on the commit under its name, also where another account posted one since. */
  postCheck(check: Check): Promise<void>;
  /** What stands on the commit under our names, with who posted it; a name may have a check run and, after it, a status. */
  findChecks(sha: string): Promise<readonly PostedCheck[]>;
  /** Of a pull request, oldest first. */
  comments(number: number): Promise<readonly Comment[]>;
  /**
   * Writes our one comment that carries the marker (an HTML comment in `body`): edits it when it is there. Another's comment with
   * that marker is none of ours, and stays as it is.
   */
  putComment(number: number, marker: string, body: string): Promise<void>;
  /** Of all issues and pull requests, written or edited since then (epoch ms), the least recently edited first. */
  recentComments(since: number): Promise<readonly NewComment[]>;
  permissionOf(login: string): Promise<Permission>;
  /** By its number; undefined when there is none, also when an issue has that number. */
  findPullRequest(number: number): Promise<PullRequest | undefined>;
  /** Open issues with the label, oldest first; pull requests are left out. */
  listIssues(label: string): Promise<readonly Issue[]>;
  /**
   * Writes our one open issue of the label that begins with the marker: opens it where there is none, else gives it this body. The
   * oldest counts should there ever be two. Answers its number.
   */
  putIssue(marker: string, draft: IssueDraft): Promise<number>;
  /**
   * What the one deployment of the commit to the environment has come to; it is made where there is none (a lost answer must not make
   * a second). Nothing where the SCM shows none at all.
   */
  showDeployment(deployment: Deployment): Promise<void>;
  reviews(number: number): Promise<readonly Review[]>;
  /** What the pull request has and its base has not, oldest first; where the SCM lists no more of them, without the head. */
  pullCommits(number: number): Promise<readonly PullCommit[]>;
  /** Rules about approvals that this SCM has and that do not bind the branch, as far as this token is told. */
  missingRules(branch: string): Promise<readonly ReviewRule[]>;
  /** The login of the token's own account; undefined where GitHub does not report it. */
  ownLogin(): Promise<string | undefined>;
  /** Which rules bind branch `meshroll/ledger`. */
  ledgerRules(): Promise<LedgerRules>;
  merge(number: number, expectedHead: string): Promise<MergeOutcome>;
}
