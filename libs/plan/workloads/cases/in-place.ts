import { type ClusterFacts, judgeMigration, type Namespace, type Workload } from "#libs/fleet";
import { effectiveRevision, findPinnedProxy, resolveTarget } from "#libs/injection";

import type { WorkloadState } from "../workload-state.ts";

/** A workload, where it is, and what is desired for it. */
interface Placed {
  readonly workload: Workload;
  readonly inventory: { readonly namespace: Namespace };
  readonly cluster: { readonly facts: ClusterFacts };
  readonly owned: { readonly desired: string };
}

/** Its label is the desired one, and it has no pod: no evidence. */
export function isIdle({ workload, inventory, cluster, owned }: Placed): boolean {
  if (workload.replicas > 0) return false;
  const target = resolveTarget(cluster.facts, owned.desired);
  const resolvesTo = effectiveRevision(inventory.namespace, workload, cluster.facts).revision;
  return judgeMigration(workload, target, resolvesTo === undefined ? {} : { resolvesTo }).kind === "idle";
}

/** The skip of a workload whose label was moved, but whose owner chose the image of its sidecar. */
export function findPin({ workload, cluster: { facts }, owned: { desired } }: Placed): WorkloadState | undefined {
  const pinned = findPinnedProxy(workload, desired, resolveTarget(facts, desired), facts);
  return pinned === undefined ? undefined : { kind: "skipped", reason: { code: "ProxyPinned", ...pinned } };
}
