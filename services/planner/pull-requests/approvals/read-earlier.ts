import type { Commit, RolloutsRepository } from "#libs/git";
import type { PullRequest, Review } from "#libs/scm";
import { readSpecTexts } from "#libs/repository";
import type { Snapshot } from "#libs/plan";

import type { EarlierRead } from "../judging/port.ts";
import type { MergedReader } from "../reading/read-merged.ts";

/** Most earlier mains that are read for one head; for an approval before them the list counts as empty. */
const mostMains = 5;

/** A commit of main that the head does not contain, and when people could know what it changes. */
interface LaterCommit extends Pick<Commit, "sha" | "parents"> {
  /** Epoch ms; infinite while the planner has not judged the commit. */
  readonly knownAt: number;
}

/**
 * People can know of a commit once the planner has judged it: the start of its run, which does not depend on the commit's own
 * date.
 */
function listLater({ ledger }: Snapshot, commits: readonly Commit[]): readonly LaterCommit[] {
  const started = new Map(Object.values(ledger?.runs ?? {}).map((run) => [run.commit, Date.parse(run.startedAt)]));
  const judged = commits.findIndex(({ sha }) => sha === ledger?.judged);
  return commits.map(({ sha, parents, at }, index) => {
    const isJudged = ledger === undefined || index <= judged;
    return { sha, parents, knownAt: isJudged ? (started.get(sha) ?? at) : Number.POSITIVE_INFINITY };
  });
}

/** Times of approvals, by the commit that main was at; approvals at the present main are left out. */
function groupByMain(
  approvals: readonly Review[],
  later: readonly LaterCommit[],
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, readonly number[]>();
  for (const { at } of approvals) {
    const next = later.find(({ knownAt }) => knownAt >= at);
    const [main] = next?.parents ?? [];
    if (main !== undefined) groups.set(main, [...(groups.get(main) ?? []), at]);
  }
  return groups;
}

async function readAt(
  reader: MergedReader,
  repository: RolloutsRepository,
  pull: PullRequest,
  commit: string,
): Promise<Pick<EarlierRead, "main" | "read">> {
  const main = await readSpecTexts({
    read: async (path) => repository.read(commit, path),
    list: async (folder) => repository.list(commit, folder),
  });
  return { main, read: (await reader.read(repository, commit, pull)).read };
}

const unread: Pick<EarlierRead, "main" | "read"> = {
  main: { campaigns: {}, refused: [] },
  read: { kind: "conflict", paths: [] },
};

/** For each main at which an approval was given, if it is not the present one: what the merge would have changed then. */
export async function readEarlier(
  reader: MergedReader,
  repository: RolloutsRepository,
  snapshot: Snapshot,
  pull: PullRequest,
  approvals: readonly Review[],
): Promise<readonly EarlierRead[]> {
  if (approvals.length === 0) return [];
  const later = listLater(snapshot, await repository.firstParents(pull.headSha, snapshot.main.head));
  const groups = [...groupByMain(approvals, later)];
  const found: EarlierRead[] = [];
  for (const [index, [commit, approvedAt]] of groups.entries()) {
    const isRead = index >= groups.length - mostMains;
    found.push({ approvedAt, commit, ...(isRead ? await readAt(reader, repository, pull, commit) : unread) });
  }
  return found;
}
