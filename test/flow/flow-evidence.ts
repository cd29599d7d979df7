import type { FakeRemote } from "#fakes/git";
import type { FakeScm } from "#fakes/scm";

import { collectEvidence } from "../auditor/evidence/collect-evidence.ts";
import type { AuditedCluster, Evidence } from "../auditor/evidence/evidence.ts";
import type { RecordedCommit, RecordedRepository } from "../auditor/evidence/git/recorded-repository.ts";

type Tree = ReadonlyMap<string, unknown>;

/** Text files that differ between two trees; undefined: deleted. */
function compareTrees(before: Tree, after: Tree): ReadonlyMap<string, string | undefined> {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const changed = [...paths].filter((path) => before.get(path) !== after.get(path));
  return new Map(
    changed.map((path) => {
      const text = after.get(path);
      return [path, typeof text === "string" ? text : undefined];
    }),
  );
}

const none: Tree = new Map();

/** The fake remote's record: every push by the server's clock, and what each commit changed. */
function readFake(remote: FakeRemote): RecordedRepository {
  return {
    pushes: remote.recorded.map(({ at, ...push }) => ({ ...push, from: at, until: at })),
    commit: (sha): RecordedCommit | undefined => {
      const commit = remote.commit(sha);
      if (commit === undefined) return undefined;
      const { author, tree, parents } = commit;
      const [parent, merged] = parents;
      const before = remote.commit(parent ?? "")?.tree ?? none;
      return {
        sha,
        ...(parent === undefined ? {} : { parent }),
        ...(merged === undefined ? {} : { merged }),
        author,
        changes: compareTrees(before, tree),
      };
    },
  };
}

/** Everything that the auditor reads of a flow. */
export function makeEvidence(
  remote: FakeRemote,
  clusters: readonly AuditedCluster[],
  github?: Pick<FakeScm, "approvals">,
): Evidence {
  const approvals = github === undefined ? {} : { approvals: github.approvals() };
  return { ...collectEvidence(readFake(remote), clusters), ...approvals };
}
