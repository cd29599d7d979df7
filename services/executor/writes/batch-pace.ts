import { findAge, findRestAt, annotationKeys } from "#libs/fleet";
import { type ClusterSnapshot, nameWorkload, type Pace } from "#libs/plan";

/** Remembers what rolled in one cluster and when, for the delay between two batches. */
export interface PaceMemory {
  /**
   * Notes what rolls now. The first call also reads from the annotations what rolled before this process started. `elapsed` in
   * ms.
   */
  update(now: RollingNow, cluster: PacedCluster, elapsed: number): Pace;
  /** We wrote it, so it rolls, though it may have come to rest before the next reconcile. */
  note(key: string): void;
  /** We put it back. If it had given up its place, this does not start the delay again. */
  noteUndo(key: string): void;
}

/** By `namespace/Kind/name`. */
interface RollingNow {
  readonly rolling: Iterable<string>;
  /** Those that gave up their place, and how long ago, ms: for the delay they came to rest then. */
  readonly stalled: ReadonlyMap<string, number>;
}

type PacedCluster = Pick<ClusterSnapshot, "namespaces" | "serverNow">;

/**
 * The workloads with our annotation, and how long ago each came to rest, ms by its API server's clock; 0 where that is unknown.
 */
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
  /** Undone after it had given up its place, and still rolling: the delay counts from when it gave that up (ADR 44). */
  const undone = new Set<string>();
  let before: readonly string[] = [];
  let givenUp: ReadonlySet<string> = new Set();
  let hasBegun = false;
  const note = (key: string): void => {
    undone.delete(key);
    before = [...before, key];
  };
  return {
    update({ rolling, stalled }, cluster, elapsed) {
      if (!hasBegun) for (const [key, age] of listMarked(cluster)) rolledAt.set(key, elapsed - age);
      hasBegun = true;
      const all = new Set(rolling);
      const now = [...all].filter((key) => !undone.has(key));
      // What rolled at the last reconcile and no longer does came to rest in between: the latest possible time is now.
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
