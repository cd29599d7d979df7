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
  /** The commit to build on, which the remote branch must still be at when it is pushed; absent creates the branch as an orphan. */
  readonly onto?: string;
  /** For a new branch that starts at another commit: the tree and parent to build on. Ignored when `onto` is given. */
  readonly startAt?: string;
  /** With `startAt`: the commit that the remote branch must still be at, and that it does not contain any more afterwards. */
  readonly replaces?: string;
  /**
   * With `onto`: a second parent, whose files the commit has before its own are applied. So a branch catches up with main
   * though the two are in conflict, and no commit of it is lost.
   */
  readonly merging?: string;
  /** Path -> new content; null deletes. Paths not named stay as they are. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Epoch ms, of author and committer; absent = now. With it the same draft is the same commit. */
  readonly at?: number;
}

/** A regular file of a commit's tree. */
export interface TreeFile {
  readonly path: string;
  /** Names the content: files of one id have one content. */
  readonly id: string;
  /** Absent where the caller said that it has the content. */
  readonly text?: string;
}

/** What a clone held before it was packed, or was found small enough. */
export interface Repacked {
  readonly kind: "repacked" | "small";
  readonly loose: number;
  readonly packs: number;
}

/** What one commit made of some files. */
export interface FileChanges {
  readonly sha: string;
  /** By path, those that it changed: the new text; undefined where no regular file stands there, or one too large to be read. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Those of the paths below which something changed. */
  readonly below: readonly string[];
}

export type PushOutcome =
  | { readonly kind: "pushed"; readonly sha: string }
  | { readonly kind: "rejected"; readonly why: string };

/** What merging a head into main would do. */
export type MergeTrial =
  /**
   * What would differ from main, in byte order: entries of the root, a folder by its name alone; of folders that were asked for
   * the entries that stand directly in them. What lies deeper is not looked at, for a few objects can be a tree of any size.
   */
  | { readonly kind: "clean"; readonly changed: readonly string[] }
  /** Files that a person would have to fix; none named where the two have no common history. */
  | { readonly kind: "conflict"; readonly paths: readonly string[] };

/**
 * The rollouts repository, seen through one bare clone that this process owns. Errors are thrown as `GitUnavailable`
 * (try again later) or `GitRefused` (a person must fix something); an answer is never guessed from an old fetch. What is
 * asked of commits that the clone has is answered at once, also while the server hangs in a fetch or a push.
 */
export interface RolloutsRepository {
  /** Fetches the protected branch and the ledger branch (forced updates included) and says where both are. */
  fetch(signal?: AbortSignal): Promise<Heads>;
  /**
   * The heads as this clone knows them from the last fetch or push, of this process or of the one before; undefined where it
   * never fetched. Calls no server, so how old they are is not known.
   */
  recall(): Promise<Heads | undefined>;
  /** First-parent commits of `to`, oldest first, without those reachable from `from` (exclusive; absent = from the root). */
  firstParents(from: string | undefined, to: string): Promise<readonly Commit[]>;
  /** The ids of the same, without what the commits say. */
  listLine(from: string, to: string): Promise<readonly string[]>;
  /**
   * First-parent commits of `to`, oldest first, without those reachable from `from` (absent = from the root), that change one of
   * these paths or something below one; with the text of the paths themselves. Few processes, however long the history.
   */
  readChanges(
    from: string | undefined,
    to: string,
    paths: readonly string[],
    each: (change: FileChanges) => void,
  ): Promise<void>;
  /** True when `ancestor` is `descendant` or lies in its first-parent history. */
  contains(descendant: string, ancestor: string): Promise<boolean>;
  /** Those of these commits that are not `descendant` and do not lie in its first-parent history; by one process for all. */
  listOutside(descendant: string, commits: readonly string[]): Promise<readonly string[]>;
  /** The commit that a branch, a tag or a full id (each perhaps with `~N`) means on the remote now; undefined when there is none. */
  resolve(ref: string): Promise<string | undefined>;
  /** Content of a file at a commit; undefined when there is no such file. A symlink, submodule or directory counts as none. */
  read(commit: string, path: string): Promise<string | undefined>;
  /** Full paths of the regular files that stand directly in a folder ("" = the root) at a commit, in byte order; `read` answers each. */
  list(commit: string, folder: string): Promise<readonly string[]>;
  /**
   * All regular files that are one of these paths or stand below one, at any depth, at a commit; by the same few processes
   * however many files there are. The content of one that is `known` is not read. Throws `GitRefused` where one file, or all
   * together, are more than should be kept in memory.
   */
  readTree(commit: string, paths: readonly string[], known?: (file: TreeFile) => boolean): Promise<readonly TreeFile[]>;
  /**
   * Tries the merge of a head into main as the SCM would do it (three-way, by lines); nothing is written anywhere. Throws
   * `GitOverLimit` where that takes more memory, time or room than a stranger's commit gets, here and in the three below.
   */
  tryMerge(main: string, head: string, inside?: readonly string[]): Promise<MergeTrial>;
  /** A file as that merge would leave it; undefined when there is no such file. Throws `GitRefused` on a conflict. */
  readMerged(main: string, head: string, path: string): Promise<string | undefined>;
  /** Full paths of the regular files that would stand directly in a folder, in byte order. */
  listMerged(main: string, head: string, folder: string): Promise<readonly string[]>;
  /** Makes the head of a pull request readable, a fork's too: by its id, else by the ref that GitHub keeps for its number. */
  fetchPullRequest(number: number, head: string): Promise<void>;
  /** Makes the commit in this clone, signed where git's own configuration asks for that, and answers its id; nothing is pushed. */
  makeCommit(draft: CommitDraft): Promise<string>;
  /** Commits and pushes, fast-forward unless it `replaces` one: a compare-and-swap. `rejected` when another writer was first. */
  commitAndPush(draft: CommitDraft): Promise<PushOutcome>;
  /**
   * What `keepNote` kept in this clone under that name, by this process or an earlier one; undefined when nothing did, or the disk
   * lost or damaged it.
   */
  readNote(name: string): Promise<string | undefined>;
  /** Keeps a text for the next process with this clone. It stays when a damaged clone is replaced, and not for another address. */
  keepNote(name: string, text: string): Promise<void>;
  /**
   * Packs what the last transitions left, when it is much. Reads go on meanwhile, and so do fetches and pushes: it belongs in
   * the background, never in a reconcile.
   */
  repack(): Promise<Repacked>;
}
