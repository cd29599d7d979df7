import type { NamespaceInventory } from "#libs/fleet";
import type { Cluster } from "#libs/kube";

type Inventories = ReadonlyMap<string, NamespaceInventory>;

/**
 * A live map whose values are made from those of another one. A value is made again only where its own, or a workload in it, is another
 * object: judgements are cached by it.
 */
function mapInventories(
  inner: Inventories,
  change: (inventory: NamespaceInventory) => NamespaceInventory,
): Inventories {
  const made = new WeakMap<NamespaceInventory, NamespaceInventory>();

  function make(inventory: NamespaceInventory): NamespaceInventory {
    const next = change(inventory);
    if (next === inventory) return inventory;
    const before = made.get(inventory);
    const isSame = before !== undefined && before.workloads.every((each, at) => each === next.workloads[at]);
    if (isSame) return before;
    made.set(inventory, next);
    return next;
  }

  function* entries(): MapIterator<[string, NamespaceInventory]> {
    for (const [name, inventory] of inner) yield [name, make(inventory)];
  }

  function* values(): MapIterator<NamespaceInventory> {
    for (const inventory of inner.values()) yield make(inventory);
  }

  const map: Inventories = {
    get size() {
      return inner.size;
    },
    get: (name) => {
      const inventory = inner.get(name);
      return inventory === undefined ? undefined : make(inventory);
    },
    has: (name) => inner.has(name),
    keys: () => inner.keys(),
    values,
    entries,
    [Symbol.iterator]: entries,
    forEach: (visit) => {
      for (const [name, inventory] of entries()) visit(inventory, name, map);
    },
  };
  return map;
}

/** The cluster with every namespace as `change` makes it. */
export function mapNamespaces(
  cluster: Cluster,
  change: (inventory: NamespaceInventory) => NamespaceInventory,
): Cluster {
  return { ...cluster, view: { ...cluster.view, namespaces: mapInventories(cluster.view.namespaces, change) } };
}
