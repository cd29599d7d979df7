import type { PullCommit, PullRequest, Scm } from "#libs/scm";

/** Commits of open pull requests, with the accounts of their authors and committers. */
export interface CommitReader {
  read(scm: Scm, pull: PullRequest): Promise<readonly PullCommit[]>;
  /** Forgets all heads but these open ones. */
  retain(heads: ReadonlySet<string>): void;
}

/**
 * Reads a head's commits until the SCM's list contains the head, then never again: they cannot change while the head is the
 * same.
 */
export function createCommitReader(): CommitReader {
  const known = new Map<string, { readonly head: string; readonly commits: readonly PullCommit[] }>();
  return {
    async read(scm, { number, headSha: head }) {
      const key = `${number} ${head}`;
      const commits = known.get(key)?.commits ?? (await scm.pullCommits(number));
      if (commits.some(({ sha }) => sha === head)) known.set(key, { head, commits });
      return commits;
    },
    retain(heads) {
      for (const [key, { head }] of known) if (!heads.has(head)) known.delete(key);
    },
  };
}
