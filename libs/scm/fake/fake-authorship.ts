import type { PullCommit } from "../port/port.ts";

/** What the fake needs of a commit; commits of the fake remote have it. */
export interface RemoteCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly committer?: string;
}

type Find = (sha: string) => RemoteCommit | undefined;

/** A name with a space (the planner's, for example) belongs to no account. */
function toLogin(name: string): string | undefined {
  return name.includes(" ") ? undefined : name;
}

/** Commits reachable from one that are not in `known`, newest first. */
function reach(find: Find, from: string, known: ReadonlySet<string>): readonly RemoteCommit[] {
  const found = new Map<string, RemoteCommit>();
  const open = [from];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const commit = found.has(sha) || known.has(sha) ? undefined : find(sha);
    if (commit === undefined) continue;
    found.set(sha, commit);
    open.push(...commit.parents);
  }
  return [...found.values()];
}

function describeCommit({ sha, author, committer = author }: RemoteCommit): PullCommit {
  const [by, from] = [toLogin(author), toLogin(committer)];
  return { sha, ...(by === undefined ? {} : { author: by }), ...(from === undefined ? {} : { committer: from }) };
}

/** Commits of a head that its base does not have, oldest first. */
export function listPullCommits(find: Find, base: string, head: string): readonly PullCommit[] {
  const known = new Set(reach(find, base, new Set()).map(({ sha }) => sha));
  return reach(find, head, known).map(describeCommit).toReversed();
}
