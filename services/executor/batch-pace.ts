import { type NamespaceInventory, markKeys } from "#libs/fleet";
import { nameWorkload, type Pace } from "#libs/plan";

/** What this process saw roll in one cluster, and when: what the delay between two batches is kept by. */
export interface PaceMemory {
  /** Notes what rolls now; `namespaces` are walked once, at the first look at a cluster that is known. */
  look(rolling: Iterable<string>, namespaces: Iterable<NamespaceInventory>, elapsed: number): Pace;
}

function* listMarked(namespaces: Iterable<NamespaceInventory>): Iterable<string> {
  for (const { workloads } of namespaces) {
    for (const workload of workloads) if (markKeys.run in workload.annotations) yield nameWorkload(workload);
  }
}

export function createPaceMemory(): PaceMemory {
  const rolledAt = new Map<string, number>();
  let hasBegun = false;
  return {
    look(rolling, namespaces, elapsed) {
      // When its batches ended is known to no new process: they count from here, so that it waits longer, never shorter.
      if (!hasBegun) for (const key of listMarked(namespaces)) rolledAt.set(key, elapsed);
      hasBegun = true;
      for (const key of rolling) rolledAt.set(key, elapsed);
      return { rolledAt, elapsed };
    },
  };
}
