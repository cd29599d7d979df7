import { lookUp } from "#libs/input";
import type { ClusterFacts } from "#libs/fleet";

import type { LedgerState, RunRecord } from "../records/index.ts";

type Identity = Pick<ClusterFacts, "cluster" | "uid">;

/**
 * The UID of another cluster in which one of the runs was begun under this name; undefined when each was begun in this one. The
 * one rule for all who ask: the planner's stop, the permit of each patch, undos and the writing of stops (rules 9.1).
 */
export function findOtherUid({ cluster, uid }: Identity, runs: readonly Pick<RunRecord, "clusters">[]) {
  return runs.map(({ clusters }) => lookUp(clusters, cluster)?.uid).find((each) => each !== undefined && each !== uid);
}

/**
 * An open run was begun in another cluster of this name: a swapped kubeconfig context, or a cluster that was created again. Nothing
 * is written to it, no move, no undo and no stop, until a person has looked.
 */
export function isOtherCluster(facts: Identity, ledger: LedgerState | undefined): boolean {
  const open = Object.values(ledger?.runs ?? {}).filter(({ state }) => state === "open");
  return findOtherUid(facts, open) !== undefined;
}
