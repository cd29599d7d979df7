/** A commit that the SCM makes and signs, and the branch that it becomes the head of. */
export interface SignedDraft {
  readonly branch: string;
  /** Where the branch is now; absent: there is no such branch. */
  readonly expected?: string;
  /** The first one's files are what the commit starts from, unless `filesOf` names another commit. */
  readonly parents: readonly string[];
  /** A commit. */
  readonly filesOf?: string;
  /** Path -> new content; null deletes. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly message: string;
}

export type SignedOutcome =
  | { readonly kind: "pushed"; readonly sha: string }
  /** Another writer was first. */
  | { readonly kind: "rejected"; readonly why: string };

/** Commits that the SCM makes, so that it signs them in the name of this account. */
export interface CommitSigner {
  /** True where a merge into the branch takes signed commits alone. */
  isDemanded(branch: string): Promise<boolean>;
  /** Makes the commit and moves the branch to it, forced where that is needed. */
  commit(draft: SignedDraft): Promise<SignedOutcome>;
  /** True for a commit that the SCM made and signed, with this account as its author. Of its content it says nothing. */
  isOwn(sha: string): Promise<boolean>;
}
