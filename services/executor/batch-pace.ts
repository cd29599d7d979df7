import { findAge, findRestAt, markKeys, type NamespaceInventory } from "#libs/fleet";
import { nameWorkload, type Pace } from "#libs/plan";

/** What rolled in one cluster, and when: what the delay between two batches is kept by. */
export interface PaceMemory {
  /** Notes what rolls now; at the first look at a cluster that is known also what rolled before this process was there. */
  look(rolling: Iterable<string>, cluster: PacedCluster, elapsed: number): Pace;
}

export interface PacedCluster {
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
  readonly facts: { readonly serverAt?: number };
}

/** What carries our mark, and how long ago it came to rest, ms, by its API server's clock; 0 where that tells nothing. */
function* listMarked({ namespaces, facts }: PacedCluster): Iterable<readonly [string, number]> {
  for (const { workloads } of namespaces.values()) {
    for (const workload of workloads) {
      if (!(markKeys.run in workload.annotations)) continue;
      const at = findRestAt(workload);
      const isKnown = at !== undefined && facts.serverAt !== undefined;
      yield [nameWorkload(workload), isKnown ? findAge(at, facts.serverAt) : 0];
    }
  }
}

export function createPaceMemory(): PaceMemory {
  const rolledAt = new Map<string, number>();
  let before: readonly string[] = [];
  let hasBegun = false;
  return {
    look(rolling, cluster, elapsed) {
      if (!hasBegun) for (const [key, age] of listMarked(cluster)) rolledAt.set(key, elapsed - age);
      hasBegun = true;
      const now = [...rolling];
      // What rolled at the last look and rests now came to rest at some time between: at the latest now.
      for (const key of [...before, ...now]) rolledAt.set(key, elapsed);
      before = now;
      return { rolledAt, elapsed };
    },
  };
}
