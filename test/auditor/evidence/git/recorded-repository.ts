/** A push to a branch as the git server saw it: it happened between two readings of the server's clock. */
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

/** A commit with its changes against its first parent; undefined = the file was deleted. */
export interface RecordedCommit {
  readonly sha: string;
  readonly parent?: string;
  /** The head that a merge brought in: its second parent. */
  readonly merged?: string;
  readonly author: string;
  readonly changes: ReadonlyMap<string, string | undefined>;
}

/** A repository as its server knows it. Commit dates are left out, because the author of a commit chooses them. */
export interface RecordedRepository {
  /** Oldest first. */
  readonly pushes: readonly RecordedPush[];
  commit(sha: string): RecordedCommit | undefined;
}

/** A commit that a push brought to a branch. */
export interface ArrivedCommit {
  readonly commit: RecordedCommit;
  readonly push: RecordedPush;
  /** It is not a descendant of the branch's earlier head. */
  readonly isForced: boolean;
}

/** First-parent ancestors of a commit that are not known yet, oldest first. */
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
export function listArrived(repository: RecordedRepository, branch: string): readonly ArrivedCommit[] {
  const known = new Set<string>();
  return repository.pushes.flatMap((push) => {
    const { after, before } = push;
    if (push.branch !== branch || after === undefined || after === before) return [];
    const fresh = walkBack(repository, after, known);
    const base = fresh[0] === undefined ? after : fresh[0].parent;
    const isForced = before !== undefined && base !== before;
    for (const { sha } of fresh) known.add(sha);
    const head = repository.commit(after);
    // A known commit: a forced push made it the head again.
    if (fresh.length === 0) return head === undefined ? [] : [{ commit: head, push, isForced: true }];
    return fresh.map((commit, index) => ({ commit, push, isForced: isForced && index === 0 }));
  });
}
