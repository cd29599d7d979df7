import type { Cluster } from "#libs/kube";
import type { WorkloadRef } from "#libs/fleet";
import { nameWorkload } from "#libs/plan";

/**
 * Writes that the API server accepted and the watch has not shown yet. Without them the executor would count too few moving
 * workloads, or repeat a write (rules 4.2).
 */
export interface PendingWrites {
  add(ref: WorkloadRef, resourceVersion: string): void;
  /** A write that restarts nothing, and so takes no place in a batch. */
  addRecord(ref: WorkloadRef, resourceVersion: string): void;
  /** Keys of workloads that roll by a write which is still unseen; forgets those that the cache shows. */
  keys(): ReadonlySet<string>;
  has(ref: WorkloadRef): boolean;
}

interface Pending {
  readonly ref: WorkloadRef;
  readonly resourceVersion: string;
  readonly rolls: boolean;
}

/** resourceVersions of one API server grow. Where they are not numbers, only equality shows that the cache has this write. */
function hasCaughtUp(cached: string, written: string): boolean {
  const [a, b] = [Number(cached), Number(written)];
  return Number.isNaN(a) || Number.isNaN(b) ? cached === written : a >= b;
}

export function createPendingWrites(cluster: Cluster): PendingWrites {
  const pending = new Map<string, Pending>();

  function isUnseen({ ref, resourceVersion }: Pending): boolean {
    const inventory = cluster.view.namespaces.get(ref.namespace);
    const cached = inventory?.workloads.find((each) => each.kind === ref.kind && each.name === ref.name);
    return cached !== undefined && !hasCaughtUp(cached.resourceVersion, resourceVersion);
  }

  function forgetSeen(): void {
    for (const [key, each] of pending) if (!isUnseen(each)) pending.delete(key);
  }

  return {
    add(ref, resourceVersion) {
      pending.set(nameWorkload(ref), { ref, resourceVersion, rolls: true });
    },
    addRecord(ref, resourceVersion) {
      pending.set(nameWorkload(ref), { ref, resourceVersion, rolls: false });
    },
    keys() {
      forgetSeen();
      return new Set([...pending].filter(([, { rolls }]) => rolls).map(([key]) => key));
    },
    has(ref) {
      const each = pending.get(nameWorkload(ref));
      return each !== undefined && isUnseen(each);
    },
  };
}
