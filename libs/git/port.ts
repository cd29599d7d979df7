/** A commit of the rollouts repository, as far as decisions and history need it. */
export interface Commit {
  readonly sha: string;
  readonly parents: readonly string[];
  /** The author's name. */
  readonly author: string;
  /** Committer time, epoch ms. */
  readonly at: number;
  /** Without line ends at its end. */
  readonly message: string;
}

/** Heads read by one fetch, so that main is never older than the ledger it is judged with. */
export interface Heads {
  readonly main: string;
  /** Absent before `meshroll init`. */
  readonly ledger?: string;
}

/** A change of files on top of a commit; made without a checkout. */
export interface CommitDraft {
  readonly branch: string;
  /**
   * The commit to build on, which the remote branch must still be at when it is pushed; absent: a new branch, without history
   * or from `startAt`.
   */
  readonly onto?: string;
  /** For a new branch that starts at another commit: the tree and parent to build on. Ignored when `onto` is given. */
  readonly startAt?: string;
  /** With `startAt`: the commit that the remote branch must still be at; afterwards the branch no longer contains it. */
  readonly replaces?: string;
  /**
   * With `onto`: a second parent, whose files the commit starts from. With it a branch takes main in although the two are in
   * conflict, and loses none of its commits.
   */
  readonly merging?: string;
  /** Path -> new content; null deletes. Paths not named stay as they are. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Epoch ms, of author and committer; absent: now. With it equal drafts give equal commits. */
  readonly at?: number;
}

/** A regular file of a commit's tree. */
export interface TreeFile {
  readonly path: string;
  /** Hash of the content: equal ids mean equal contents. */
  readonly id: string;
  /** Absent where the caller said that it knows the content. */
  readonly text?: string;
}

/** What a clone held before it was packed, or that it was small enough. */
export interface Repacked {
  readonly kind: "repacked" | "small";
  readonly loose: number;
  readonly packs: number;
}

/** What one commit changed at some paths. */
export interface FileChanges {
  readonly sha: string;
  /** The changed ones by path: new text; undefined where it is not a regular file any more, or is too large. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** The given paths below which something changed. */
  readonly below: readonly string[];
}

export type PushOutcome =
  | { readonly kind: "pushed"; readonly sha: string }
  | { readonly kind: "rejected"; readonly why: string };

/** What merging a head into main would do. */
export type MergeTrial =
  /**
   * What would differ from main, in byte order: entries of the root, a folder by its name; for folders in `inside` their direct
   * entries. Deeper entries are not compared, because a few objects can make a tree of any size.
   */
  | { readonly kind: "clean"; readonly changed: readonly string[] }
  /** Files in conflict; empty where the two commits have no common history. */
  | { readonly kind: "conflict"; readonly paths: readonly string[] };

/**
 * The rollouts repository through one bare clone that this process owns. Throws `GitUnavailable` (try again later) or
 * `GitRefused` (a person must fix something) and never answers from an old fetch instead. Calls about commits in the clone are
 * answered at once, also while the server hangs.
 */
export interface RolloutsRepository {
  /** Fetches the protected branch and the ledger branch (forced updates included) and returns their heads. */
  fetch(signal?: AbortSignal): Promise<Heads>;
  /**
   * The heads of the last fetch or push of this process or an earlier one with this clone; undefined where it never fetched.
   * Asks no server, so their age is unknown.
   */
  recall(): Promise<Heads | undefined>;
  /** First-parent commits of `to`, oldest first, without those reachable from `from` (exclusive; absent = from the root). */
  firstParents(from: string | undefined, to: string): Promise<readonly Commit[]>;
  /** The ids of the same commits. */
  listLine(from: string, to: string): Promise<readonly string[]>;
  /**
   * First-parent commits of `to`, oldest first, without those reachable from `from` (absent: from the root), that change one of
   * these paths or something below; with the text of the paths themselves. Needs a few processes for any length of history.
   */
  readChanges(
    from: string | undefined,
    to: string,
    paths: readonly string[],
    each: (change: FileChanges) => void,
  ): Promise<void>;
  /** Whether `ancestor` is `descendant` or in its first-parent history. */
  contains(descendant: string, ancestor: string): Promise<boolean>;
  /** Those of these commits that are neither `descendant` nor in its first-parent history; by one process. */
  listOutside(descendant: string, commits: readonly string[]): Promise<readonly string[]>;
  /** The commit that a branch, a tag or a full id (each also with `~N`) means on the remote now; undefined: none. */
  resolve(ref: string): Promise<string | undefined>;
  /** Content of a file at a commit; undefined: no such file. A symlink, submodule or folder counts as none. */
  read(commit: string, path: string): Promise<string | undefined>;
  /** Full paths of the regular files directly in a folder ("" = the root) at a commit, in byte order. */
  list(commit: string, folder: string): Promise<readonly string[]>;
  /**
   * All regular files at or below these paths at a commit; by two processes for any number of files. The content of `known`
   * ones is not read. Throws `GitRefused` where one file, or all together, are too large for memory.
   */
  readTree(commit: string, paths: readonly string[], known?: (file: TreeFile) => boolean): Promise<readonly TreeFile[]>;
  /**
   * Tries the merge of a head into main as the SCM would do it (three-way, by lines); writes to no branch. It and the three
   * below throw `GitOverLimit` where a stranger's commit takes more memory, time or disk than allowed.
   */
  tryMerge(main: string, head: string, inside?: readonly string[]): Promise<MergeTrial>;
  /** A file as that merge would leave it; undefined: no such file. Throws `GitRefused` on a conflict. */
  readMerged(main: string, head: string, path: string): Promise<string | undefined>;
  /** Full paths of the regular files directly in a folder after that merge, in byte order. */
  listMerged(main: string, head: string, folder: string): Promise<readonly string[]>;
  /** Fetches the head of a pull request, also of a fork: by its id, else by the ref that GitHub has for its number. */
  fetchPullRequest(number: number, head: string): Promise<void>;
  /** Makes the commit in this clone, signed where git's configuration says so, and returns its id; pushes nothing. */
  makeCommit(draft: CommitDraft): Promise<string>;
  /** Whether git signs the commits that this process makes, by its own configuration. */
  signsCommits(): Promise<boolean>;
  /**
   * Makes and pushes a commit as a compare-and-swap, fast-forward unless it `replaces` one. `rejected`: another writer was
   * first.
   */
  commitAndPush(draft: CommitDraft): Promise<PushOutcome>;
  /**
   * A text that `writeNote` stored under that name in this clone, by this process or an earlier one; undefined: none, or it is
   * damaged.
   */
  readNote(name: string): Promise<string | undefined>;
  /**
   * Stores a text for the next process with this clone. It survives the replacement of a damaged clone, unless the address
   * changes.
   */
  writeNote(name: string, text: string): Promise<void>;
  /**
   * Packs the clone if it holds many loose objects. Reads, fetches and pushes go on meanwhile; call it in the background, never
   * in a reconcile.
   */
  repack(): Promise<Repacked>;
}
