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

/** Its label says what the file wants, and it has no pod: that is no evidence of anything. */
export function isIdle({ workload, inventory, cluster, owned }: Placed): boolean {
  if (workload.replicas > 0) return false;
  const target = resolveTarget(cluster.facts, owned.desired);
  const resolvesTo = effectiveRevision(inventory.namespace, workload, cluster.facts).revision;
  return judgeMigration(workload, target, resolvesTo === undefined ? {} : { resolvesTo }).kind === "idle";
}

/** Its label was moved, and its sidecar is its owner's: that one's version is no part of the revision. */
export function findPin({ workload, cluster: { facts }, owned: { desired } }: Placed): WorkloadState | undefined {
  const pinned = findPinnedProxy(workload, desired, resolveTarget(facts, desired), facts);
  return pinned === undefined ? undefined : { kind: "skipped", reason: { code: "ProxyPinned", ...pinned } };
}
