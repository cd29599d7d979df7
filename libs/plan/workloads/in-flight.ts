import { type ClusterFacts, isRollingByUs, type Namespace, type Workload } from "#libs/fleet";
import { effectiveRevision, findOwnWrite, resolveTarget, type Site } from "#libs/injection";

/** One workload and the run's wish. */
interface Wanted {
  readonly namespace: Namespace;
  readonly workload: Workload;
  readonly site: Site;
  readonly facts: ClusterFacts;
  readonly desired: string;
}

/** Its namespace's label was changed since: what was restarted for the earlier label arrives when that is written again. */
export function isTurnedAway({ namespace, workload, site, facts, desired }: Wanted): boolean {
  if (site.kind !== "namespace") return false;
  const { revision } = effectiveRevision(namespace, workload, facts);
  return revision !== undefined && revision !== resolveTarget(facts, desired);
}

/**
 * No move of ours is in place, but what was undone (by us or its owner) is rolling to the desired revision already: another
 * restart would only make one more ReplicaSet.
 */
export function isUndoInFlight({ namespace, workload, facts, desired }: Wanted): boolean {
  if (findOwnWrite(workload) !== undefined || !isRollingByUs(workload)) return false;
  return effectiveRevision(namespace, workload, facts).revision === resolveTarget(facts, desired);
}
