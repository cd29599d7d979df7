import type { ClusterFacts, NamespaceInventory } from "#libs/fleet";

import { readClusterFacts, readInventoryKey, readNamespaceInventory } from "./inventory.ts";

/** One cluster in the bucket `inventory`. */
export interface FoldedCluster {
  readonly name: string;
  readonly facts: ClusterFacts;
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
  /** All namespaces that the cluster counts have arrived. */
  readonly complete: boolean;
  /**
   * Real monotonic ms at which this process saw the cluster's own value change; -Infinity before the first change (rules 9.1).
   */
  readonly changedAt: number;
}

/** An immutable map: a change returns a new map. */
export interface NamespaceMap extends ReadonlyMap<string, NamespaceInventory> {
  with(name: string, inventory: NamespaceInventory): NamespaceMap;
  without(name: string): NamespaceMap;
}

interface Folding {
  facts?: ClusterFacts;
  namespaces: NamespaceMap;
  changedAt: number;
}

/** Folds the bucket's entries into clusters, one change at a time; `reset` after a wipe. */
export interface InventoryFold {
  /** Returns the cluster that the entry belongs to, undefined for a foreign key. */
  apply(key: string, value: string | undefined, monotonic: number): string | undefined;
  reset(): void;
  clusters(): readonly FoldedCluster[];
  /** Facts of clusters that no executor has read yet: their UID is empty. */
  unseen(): readonly ClusterFacts[];
}

/** resourceVersions are compared as numbers; an older value never replaces a newer one (rules 9.2). */
function isOlder(next: NamespaceInventory, before: NamespaceInventory | undefined): boolean {
  return (
    before !== undefined && before.namespace.uid === next.namespace.uid && Number(next.readAt) < Number(before.readAt)
  );
}

/** `empty` is the initial map of a cluster's namespaces. */
export function createInventoryFold(empty: NamespaceMap): InventoryFold {
  const byName = new Map<string, Folding>();

  function open(cluster: string): Folding {
    const known = byName.get(cluster);
    if (known !== undefined) return known;
    const made: Folding = { namespaces: empty, changedAt: Number.NEGATIVE_INFINITY };
    byName.set(cluster, made);
    return made;
  }

  function applyCluster(folding: Folding, cluster: string, value: string | undefined, monotonic: number): void {
    const facts = value === undefined ? undefined : readClusterFacts(cluster, value);
    if (facts === undefined) {
      delete folding.facts;
      return;
    }
    // The executor publishes also while its API server does not answer: only a newer `seenAt` makes the cluster fresh.
    if (facts.seenAt !== folding.facts?.seenAt) folding.changedAt = monotonic;
    folding.facts = facts;
  }

  function applyNamespace(folding: Folding, namespace: string, value: string | undefined): void {
    const inventory = value === undefined ? undefined : readNamespaceInventory(namespace, value);
    const { namespaces } = folding;
    if (inventory === undefined) folding.namespaces = namespaces.without(namespace);
    else if (!isOlder(inventory, namespaces.get(namespace))) folding.namespaces = namespaces.with(namespace, inventory);
  }

  return {
    apply(key, value, monotonic) {
      const read = readInventoryKey(key);
      if (read === undefined) return undefined;
      const folding = open(read.cluster);
      if (read.namespace === undefined) applyCluster(folding, read.cluster, value, monotonic);
      else applyNamespace(folding, read.namespace, value);
      return read.cluster;
    },
    reset() {
      byName.clear();
    },
    clusters() {
      return [...byName].flatMap(([name, { facts, namespaces, changedAt }]) =>
        facts === undefined || facts.uid === ""
          ? []
          : [{ name, facts, namespaces, changedAt, complete: namespaces.size === facts.count }],
      );
    },
    unseen() {
      return [...byName.values()].flatMap(({ facts }) => (facts?.uid === "" ? [facts] : []));
    },
  };
}
