import type { NamespaceInventory } from "#libs/fleet";
import type { Cluster } from "#libs/kube";

import { mapNamespaces } from "./map-namespaces.ts";

function hide(inventory: NamespaceInventory): NamespaceInventory {
  const { workloads } = inventory;
  // They are last: workloads are sorted by their kind.
  if (workloads.at(-1)?.kind !== "WorkloadGroup") return inventory;
  return { ...inventory, workloads: workloads.filter(({ kind }) => kind !== "WorkloadGroup") };
}

/** The cluster without its WorkloadGroups, for an executor that knows no VMs: what they run would never be known. */
export function hideVmGroups(cluster: Cluster): Cluster {
  return mapNamespaces(cluster, hide);
}
