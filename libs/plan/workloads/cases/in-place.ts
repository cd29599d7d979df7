import { type ClusterFacts, istioKeys, judgeMigration, type Namespace, type Workload } from "#libs/fleet";
import { effectiveRevision, findPinnedProxy, labelledRevision, resolveTarget } from "#libs/injection";

import type { WorkloadState } from "../workload-state.ts";

/** A workload, where it is, and what is desired for it. */
interface Placed {
  readonly workload: Workload;
  readonly inventory: { readonly namespace: Namespace };
  readonly cluster: { readonly facts: ClusterFacts };
  readonly owned: { readonly desired: string; readonly rollbackSince?: string };
}

/**
 * The revision that new pods get, as far as it counts for "in place". In a rollback the admission map labels manifests of any age, and
 * no longer does once it is over: there a template's own label counts.
 */
export function findLastingRevision({ workload, inventory, cluster, owned }: Placed): string | undefined {
  const isPassing = owned.rollbackSince !== undefined && workload.template.labels[istioKeys.revision] !== undefined;
  const predict = isPassing ? labelledRevision : effectiveRevision;
  return predict(inventory.namespace, workload, cluster.facts).revision;
}

/** Its label is the desired one, and it has no pod: no evidence. */
export function isIdle(placed: Placed): boolean {
  const { workload, cluster, owned } = placed;
  if (workload.replicas > 0) return false;
  const target = resolveTarget(cluster.facts, owned.desired);
  const resolvesTo = findLastingRevision(placed);
  return judgeMigration(workload, target, resolvesTo === undefined ? {} : { resolvesTo }).kind === "idle";
}

/** The skip of a workload whose label was moved, but whose owner chose the image of its sidecar. */
export function findPin({ workload, cluster: { facts }, owned: { desired } }: Placed): WorkloadState | undefined {
  const pinned = findPinnedProxy(workload, desired, resolveTarget(facts, desired), facts);
  return pinned === undefined ? undefined : { kind: "skipped", reason: { code: "ProxyPinned", ...pinned } };
}
