/** A branch that moved, as the git server saw it: between two reconciles of its own clock. */
export interface RecordedPush {
  readonly branch: string;
  readonly before?: string;
  /** Absent = deleted. */
  readonly after?: string;
  /** Epoch ms of the clusters' clock. */
  readonly from: number;
  readonly until: number;
  readonly by: string;
}

/** A commit, with what it changed against its first parent; undefined = the file went. */
export interface RecordedCommit {
  readonly sha: string;
  readonly parent?: string;
  /** The head that a merge took in: its second parent. */
  readonly merged?: string;
  readonly author: string;
  readonly changes: ReadonlyMap<string, string | undefined>;
}

/** A repository as its server knows it. The times that commits carry are not in it: the author of a commit chooses them. */
export interface RecordedRepository {
  /** Oldest first. */
  readonly pushes: readonly RecordedPush[];
  commit(sha: string): RecordedCommit | undefined;
}

/** A commit that a push brought to a branch. */
export interface ArrivedCommit {
  readonly commit: RecordedCommit;
  readonly push: RecordedPush;
  /** What stood on the branch before is not below it. */
  readonly isForced: boolean;
}

/** First parents of a commit that are not known yet, oldest first. */
function walkBack(repository: RecordedRepository, head: string, known: ReadonlySet<string>): readonly RecordedCommit[] {
  const line: RecordedCommit[] = [];
  for (let sha: string | undefined = head; sha !== undefined && !known.has(sha);) {
    const commit = repository.commit(sha);
    if (commit === undefined) throw new Error(`the record of the repository lacks commit ${sha}`);
    line.push(commit);
    sha = commit.parent;
  }
  return line.toReversed();
}

/** Every commit that arrived on a branch, in the order in which its server saw them. */
export function listMigrated(repository: RecordedRepository, branch: string): readonly ArrivedCommit[] {
  const known = new Set<string>();
  return repository.pushes.flatMap((push) => {
    const { after, before } = push;
    if (push.branch !== branch || after === undefined || after === before) return [];
    const fresh = walkBack(repository, after, known);
    const base = fresh[0] === undefined ? after : fresh[0].parent;
    const isForced = before !== undefined && base !== before;
    for (const { sha } of fresh) known.add(sha);
    const head = repository.commit(after);
    // It had been there before: a forced push made it the head again.
    if (fresh.length === 0) return head === undefined ? [] : [{ commit: head, push, isForced: true }];
    return fresh.map((commit, index) => ({ commit, push, isForced: isForced && index === 0 }));
  });
}
