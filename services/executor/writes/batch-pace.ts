import { findAge, findRestAt, annotationKeys } from "#libs/fleet";
import { type ClusterSnapshot, nameWorkload, type Pace } from "#libs/plan";

/** What rolled in one cluster, and when: what the delay between two batches is kept by. */
export interface PaceMemory {
  /** Notes what rolls now; at the first reconcile at a cluster that is known also what rolled before this process was there. */
  reconcile(now: RollingNow, cluster: PacedCluster, elapsed: number): Pace;
  /** We wrote it: it rolls, though it may rest again before the next reconcile. */
  note(key: string): void;
  /** We put it back: where it had given its place up, that begins no delay of its own. */
  noteUndo(key: string): void;
}

/** By `namespace/Kind/name`. */
interface RollingNow {
  readonly rolling: Iterable<string>;
  /** Those of them that gave their place up, and how long ago, ms: for the delay they came to rest then. */
  readonly stalled: ReadonlyMap<string, number>;
}

type PacedCluster = Pick<ClusterSnapshot, "namespaces" | "serverNow">;

/** What carries our mark, and how long ago it came to rest, ms, by its API server's clock; 0 where that says nothing. */
function* listMarked({ namespaces, serverNow }: PacedCluster): Iterable<readonly [string, number]> {
  for (const { workloads } of namespaces.values()) {
    for (const workload of workloads) {
      if (!(annotationKeys.run in workload.annotations)) continue;
      const at = findRestAt(workload);
      yield [nameWorkload(workload), at === undefined || serverNow === undefined ? 0 : findAge(at, serverNow)];
    }
  }
}

export function createPaceMemory(): PaceMemory {
  const rolledAt = new Map<string, number>();
  /** Put back after it had given its place up, and not at rest yet: the delay counts from when it gave that up (ADR 44). */
  const undone = new Set<string>();
  let before: readonly string[] = [];
  let givenUp: ReadonlySet<string> = new Set();
  let hasBegun = false;
  const note = (key: string): void => {
    undone.delete(key);
    before = [...before, key];
  };
  return {
    reconcile({ rolling, stalled }, cluster, elapsed) {
      if (!hasBegun) for (const [key, age] of listMarked(cluster)) rolledAt.set(key, elapsed - age);
      hasBegun = true;
      const all = new Set(rolling);
      const now = [...all].filter((key) => !undone.has(key));
      // What rolled at the last reconcile and rests now came to rest at some time between: at the latest now.
      for (const key of [...before, ...now]) rolledAt.set(key, elapsed - (stalled.get(key) ?? 0));
      before = now.filter((key) => !stalled.has(key));
      for (const key of undone) if (!all.has(key)) undone.delete(key);
      givenUp = new Set(stalled.keys());
      return { rolledAt, elapsed };
    },
    note,
    noteUndo(key) {
      if (givenUp.has(key)) undone.add(key);
      else note(key);
    },
  };
}
