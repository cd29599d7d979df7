import type { PullCommit, PullRequest, Scm } from "#libs/scm";

/** Commits of open pull requests, with the accounts behind them. */
export interface CommitReader {
  read(scm: Scm, pull: PullRequest): Promise<readonly PullCommit[]>;
  /** Forgets what concerns no open head. */
  keep(heads: ReadonlySet<string>): void;
}

/** Asked once for a head, when the SCM's list has caught up with it: it does not change while the head does not. */
export function createCommitReader(): CommitReader {
  const known = new Map<string, { readonly head: string; readonly commits: readonly PullCommit[] }>();
  return {
    async read(scm, { number, headSha: head }) {
      const key = `${number} ${head}`;
      const commits = known.get(key)?.commits ?? (await scm.pullCommits(number));
      if (commits.some(({ sha }) => sha === head)) known.set(key, { head, commits });
      return commits;
    },
    keep(heads) {
      for (const [key, { head }] of known) if (!heads.has(head)) known.delete(key);
    },
  };
}
