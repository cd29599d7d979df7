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
  readonly mergedBy?: string;
  /** The commit on the protected branch that the merge made. */
  readonly mergeSha?: string;
}

export interface PullRequestDraft {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

export interface Review {
  readonly author: string;
  readonly state: "approved" | "changesRequested" | "commented" | "dismissed";
  readonly commit: string;
}

export type MergeOutcome =
  | { readonly kind: "merged"; readonly sha: string }
  /** Protection, a conflict or a moved head: what GitHub said. */
  | { readonly kind: "refused"; readonly why: string };

/**
 * The forge where people review: pull requests of the rollouts repository. Throws `ForgeUnavailable` (retry) or
 * `ForgeRefused` (a person must mend it).
 */
export interface Forge {
  /** Opens one, or answers the open one that the branch already has (a lost answer must not make a second). */
  openPullRequest(draft: PullRequestDraft): Promise<PullRequest>;
  /** By branch name, any state, newest first. */
  findPullRequests(branch: string): Promise<readonly PullRequest[]>;
  /** The pull request whose merge made this commit, if one did. */
  findByMergeCommit(sha: string): Promise<PullRequest | undefined>;
  reviews(number: number): Promise<readonly Review[]>;
  approve(number: number): Promise<void>;
  merge(number: number, expectedHead: string): Promise<MergeOutcome>;
}
