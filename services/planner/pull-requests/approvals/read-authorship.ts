import type { BranchPush, Scm, PullCommits, PullRequest } from "#libs/scm";
import type { Authorship } from "#libs/plan";

/** Who took part in a pull request, with when GitHub first showed its head. */
export interface ReadAuthorship {
  readonly authorship: Authorship;
  /** Epoch ms, by GitHub's clock; absent: GitHub does not report. */
  readonly pushedAt?: number;
}

/** Who wrote, committed and pushed what open pull requests bring. */
export interface AuthorshipReader {
  read(scm: Scm, pull: PullRequest): Promise<ReadAuthorship>;
  /** Forgets what concerns no open head. */
  keep(heads: ReadonlySet<string>): void;
}

interface Known {
  readonly commits: PullCommits;
  readonly pushes: readonly BranchPush[] | undefined;
}

/** GitHub's list is as new as the head. */
function isUpToDate({ commits, pushes }: Known, head: string): boolean {
  const isListed = !commits.isWhole || commits.commits.some(({ sha }) => sha === head);
  return isListed && (pushes === undefined || pushes[0]?.after === head);
}

/** The pushes of a fork's branch are the fork's own, and may say anything. */
async function readPushes(scm: Scm, pull: PullRequest): Promise<readonly BranchPush[] | undefined> {
  return pull.fork === true ? undefined : scm.branchPushes(pull.branch);
}

function describe({ commits, pushes }: Known, head: string, self: string | undefined): ReadAuthorship {
  const pushedAt = pushes?.find(({ after }) => after === head)?.at;
  return {
    authorship: {
      ...commits,
      ...(pushes === undefined ? {} : { pushes }),
      ...(self === undefined ? {} : { self }),
    },
    ...(pushedAt === undefined ? {} : { pushedAt }),
  };
}

/** Asked once for a head, when GitHub's lists have caught up with it: neither changes while the head does not. */
export function createAuthorshipReader(): AuthorshipReader {
  const known = new Map<string, { readonly head: string; readonly read: Known }>();
  return {
    async read(scm, pull) {
      const { number, headSha } = pull;
      const key = `${number} ${headSha}`;
      const before = known.get(key)?.read;
      const read = before ?? {
        commits: await scm.pullCommits(number),
        pushes: await readPushes(scm, pull),
      };
      if (isUpToDate(read, headSha)) known.set(key, { head: headSha, read });
      return describe(read, headSha, await scm.ownLogin());
    },
    keep(heads) {
      for (const [key, { head }] of known) if (!heads.has(head)) known.delete(key);
    },
  };
}
