import type { MergeDemand, MergeStyle, ReviewRule } from "#libs/wording";

import type { CommitSigner } from "./commit-signer.ts";
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
  /** The branch is in a fork: its name is not one of ours, whatever it is. */
  readonly fork?: true;
  readonly mergedBy?: string;
  /** The commit on the protected branch that the merge made. */
  readonly mergeSha?: string;
  /** Of one that was closed unmerged: who closed it, as far as GitHub says, and when (epoch ms). */
  readonly closedBy?: string;
  readonly closedAt?: number;
}

export interface PullRequestDraft {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

/** A commit of a pull request, with the accounts that the SCM finds for its addresses. */
export interface PullCommit {
  readonly sha: string;
  /** Login; absent: no account has the address. A commit's writer chooses the address freely. */
  readonly author?: string;
  /** Login; absent: no account has the address. */
  readonly committer?: string;
}

export interface Review {
  readonly author: string;
  /** A bot's account: its approval does not count. */
  readonly bot?: true;
  readonly state: "approved" | "changesRequested" | "commented" | "dismissed";
  /** The head that was reviewed. */
  readonly commit: string;
  /** When it was submitted, epoch ms by the SCM's clock; 0 = not known. */
  readonly at: number;
  /** First line of the review's text; absent: it has none. */
  readonly line?: string;
}

export type MergeOutcome =
  | { readonly kind: "merged"; readonly sha: string }
  /** The SCM's merge queue has it, and merges it once the checks of its group are green. */
  | { readonly kind: "queued" }
  /** Protection, a conflict or a moved head: the SCM's message, and unmet demands of the branch as far as they can be read. */
  | { readonly kind: "refused"; readonly why: string; readonly demands?: readonly MergeDemand[] };

/** The protected branch as the merge queue would leave it by merging a pull request after all before it. */
export interface QueuedGroup {
  /** Of the pull request that is the last of the group. */
  readonly number: number;
  /** The queue merges when the required checks of this commit are green. */
  readonly headSha: string;
}

/** One of our checks on a commit; branch protection requires it by name. */
export interface Check {
  readonly name: "meshroll/plan" | "meshroll/approvals";
  readonly headSha: string;
  /** `neutral` is shown as pending where the token may write only commit statuses. */
  readonly state: "success" | "failure" | "pending" | "neutral";
  /** One line, shown next to the name. */
  readonly title: string;
  /** Markdown; at most 65,535 characters. */
  readonly summary: string;
  /** Where a click on it leads; absent: GitHub's own page. */
  readonly detailsUrl?: string;
}

/** The newest check of each form under one of our names, no matter who posted it: branch protection reads these. */
export interface PostedCheck extends Check {
  readonly form: "run" | "status";
  /** The login that posted it; an app's ends in `[bot]`. */
  readonly by: string;
  /** True where this token posted it. The mark of a check run alone proves nothing: others can set it. */
  readonly own: boolean;
}

export interface Comment {
  readonly id: number;
  readonly author: string;
  /** Written by this token, by the SCM's author field; the text is not considered. */
  readonly ours?: true;
  readonly body: string;
  /** Epoch ms. */
  readonly at: number;
}

/** A comment on any issue or pull request of the repository. */
export interface NewComment extends Comment {
  /** Of the issue or pull request. */
  readonly number: number;
  /** A bot's account. */
  readonly bot?: true;
  /**
   * GitHub lists its author as owner, member or collaborator. That grants nothing, and may be absent for someone with rights,
   * where the token may not see the organisation's members. Of Gitea it is always true.
   */
  readonly isMember?: true;
  /** Epoch ms of the last edit, in whole seconds; equals `at` when there was none. */
  readonly editedAt: number;
}

/** What an account may do in the repository; `unknown`: this token may not ask. */
export type Permission = "admin" | "write" | "read" | "none" | "unknown";

/** An issue that is not a pull request. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  /** Written by this token, by the SCM's author field. */
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

/** The state of a merged commit in an environment; GitHub shows it next to the commit. */
export interface Deployment {
  readonly sha: string;
  readonly environment: string;
  readonly state: DeploymentState;
  readonly description: string;
}

/**
 * The SCM with the pull requests of the rollouts repository. Every call may throw `ScmUnavailable` (retry) or `ScmRefused` (a
 * person must fix it).
 */
export interface Scm {
  /**
   * All calls that the work makes are urgent: they may use the last requests of GitHub's limit, which others then leave to them.
   */
  readonly urgently: <T>(work: () => Promise<T>) => Promise<T>;
  /** Opens one, or answers the open one of the same branch: a retry after a lost answer must not make a second. */
  openPullRequest(draft: PullRequestDraft): Promise<PullRequest>;
  /** All of a branch in any state, newest first. */
  findPullRequests(branch: string): Promise<readonly PullRequest[]>;
  /** Sets title and body; answers whether anything changed. */
  updatePullRequest(number: number, text: Pick<PullRequestDraft, "title" | "body">): Promise<boolean>;
  /** Closes it unmerged and leaves its branch; does nothing if it is closed or merged already. */
  closePullRequest(number: number): Promise<void>;
  /** Adds labels to the existing ones; labels that the repository lacks are created. */
  addLabels(number: number, labels: readonly string[]): Promise<void>;
  /** Logins of a team of the organisation; undefined: no such team, or this token may not see it. */
  teamMembers(slug: string): Promise<readonly string[] | undefined>;
  /** The pull request whose merge made this commit; undefined: none. */
  findByMergeCommit(sha: string): Promise<PullRequest | undefined>;
  /** Every open pull request to the branch, oldest first. */
  listOpenPullRequests(base: string): Promise<readonly PullRequest[]>;
  /** Makes our check the newest of its name on the commit, also where another account posted one since. */
  postCheck(check: Check): Promise<void>;
  /** The checks on the commit under our names, with who posted them; a name may have a check run and, after it, a status. */
  findChecks(sha: string): Promise<readonly PostedCheck[]>;
  /** Of an issue or pull request, oldest first. */
  comments(number: number): Promise<readonly Comment[]>;
  /**
   * Writes our one comment with the marker (an HTML comment in `body`), or edits it. Another account's comment with that marker
   * stays unchanged.
   */
  putComment(number: number, marker: string, body: string): Promise<void>;
  /** All comments written or edited since then (epoch ms), least recently edited first. */
  recentComments(since: number): Promise<readonly NewComment[]>;
  permissionOf(login: string): Promise<Permission>;
  /** By number; undefined: none, also where an issue has that number. */
  findPullRequest(number: number): Promise<PullRequest | undefined>;
  /** Open issues with the label, oldest first; without pull requests. */
  listIssues(label: string): Promise<readonly Issue[]>;
  /**
   * Writes our one open issue of the label that begins with the marker, or edits its body; the oldest if there are two. Answers
   * its number.
   */
  putIssue(marker: string, draft: IssueDraft): Promise<number>;
  /**
   * Sets the state of the commit's one deployment to the environment and creates it where there is none (a retry after a lost
   * answer makes no second). Does nothing where the SCM has no deployments.
   */
  showDeployment(deployment: Deployment): Promise<void>;
  reviews(number: number): Promise<readonly Review[]>;
  /** Commits of the pull request that its base lacks, oldest first; the head may be missing where the SCM limits the list. */
  pullCommits(number: number): Promise<readonly PullCommit[]>;
  /** Rules about approvals that this SCM knows and the branch lacks, as far as this token may read them. */
  missingRules(branch: string): Promise<readonly ReviewRule[]>;
  /** Login of the token's own account; undefined where GitHub does not tell. */
  ownLogin(): Promise<string | undefined>;
  /** Which rules apply to branch `meshroll/ledger`. */
  ledgerRules(): Promise<LedgerRules>;
  /**
   * Merges it at this head alone, or puts it into the branch's merge queue. `urgent`: past the queue if this token may, else to
   * its front.
   */
  merge(number: number, expectedHead: string, pace?: "urgent"): Promise<MergeOutcome>;
  /** Groups of the branch's merge queue; none where the branch or the SCM has no queue. */
  queuedGroups(base: string): Promise<readonly QueuedGroup[]>;
  readonly name: "GitHub" | "Gitea";
  /** Absent: this SCM, or this account, has none of its commits signed. */
  readonly signer?: CommitSigner;
  /** The first style of merging that repository and branch allow to people; undefined: none. */
  mergeStyle(base: string): Promise<MergeStyle | undefined>;
}
