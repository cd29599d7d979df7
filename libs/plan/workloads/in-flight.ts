import { type ClusterFacts, isRollingByUs, type Namespace, type Workload } from "#libs/fleet";
import { effectiveRevision, findOwnWrite, resolveTarget, type Site } from "#libs/injection";

/** One workload, and what its run wants of it. */
interface Wanted {
  readonly namespace: Namespace;
  readonly workload: Workload;
  readonly site: Site;
  readonly facts: ClusterFacts;
  readonly desired: string;
}

/** Its namespace was turned elsewhere since: what was restarted for its label of then arrives when that is written again. */
export function isTurnedAway({ namespace, workload, site, facts, desired }: Wanted): boolean {
  if (site.kind !== "namespace") return false;
  const { revision } = effectiveRevision(namespace, workload, facts);
  return revision !== undefined && revision !== resolveTarget(facts, desired);
}

/**
 * No move of ours stands, but what was undone (by us, or by its owner) rolls to just what is wanted now: another restart
 * would only make one more ReplicaSet.
 */
export function isUndoInFlight({ namespace, workload, facts, desired }: Wanted): boolean {
  if (findOwnWrite(workload) !== undefined || !isRollingByUs(workload)) return false;
  return effectiveRevision(namespace, workload, facts).revision === resolveTarget(facts, desired);
}
