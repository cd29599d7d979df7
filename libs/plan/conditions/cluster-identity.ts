import { lookUp } from "#libs/input";
import type { ClusterFacts } from "#libs/fleet";

import type { LedgerState, RunRecord } from "../records/index.ts";

type Identity = Pick<ClusterFacts, "cluster" | "uid">;

/**
 * The UID of another cluster of this name in which one of these runs was begun; undefined when all were begun in this one. The
 * planner's stop, the permit of each patch, undos and the recording of stops all use this rule (rules 9.1).
 */
export function findOtherUid({ cluster, uid }: Identity, runs: readonly Pick<RunRecord, "clusters">[]) {
  return runs.map(({ clusters }) => lookUp(clusters, cluster)?.uid).find((each) => each !== undefined && each !== uid);
}

/**
 * Whether an open run was begun in another cluster of this name, as after a swapped kubeconfig context or a recreated cluster.
 * No move, undo or stop is written to it until a person has checked.
 */
export function isOtherCluster(facts: Identity, ledger: LedgerState | undefined): boolean {
  const open = Object.values(ledger?.runs ?? {}).filter(({ state }) => state === "open");
  return findOtherUid(facts, open) !== undefined;
}
