import type { NamespaceInventory } from "#libs/fleet";
import type { Cluster } from "#libs/kube";

import { mapInventories } from "./map-inventories.ts";

function hide(inventory: NamespaceInventory): NamespaceInventory {
  const { workloads } = inventory;
  // They are last: workloads are sorted by their kind.
  if (workloads.at(-1)?.kind !== "WorkloadGroup") return inventory;
  return { ...inventory, workloads: workloads.filter(({ kind }) => kind !== "WorkloadGroup") };
}

/** The cluster without its WorkloadGroups, for an executor that knows no VMs: what they run would never be known. */
export function hideVmGroups(cluster: Cluster): Cluster {
  const { view } = cluster;
  const namespaces = mapInventories(view.namespaces, hide);
  return {
    ...cluster,
    view: {
      namespaces,
      entriesOf: (namespace) => view.entriesOf(namespace),
      templateOf: (ref) => view.templateOf(ref),
      facts: () => view.facts(),
      seenAtMonotonic: () => view.seenAtMonotonic(),
    },
  };
}
