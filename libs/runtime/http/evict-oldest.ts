export interface EvictingSet<T> {
  /** Adds a member, with its weight. Where there is no room, the oldest others are evicted. */
  add(member: T, weight: number): void;
  /** Adds to the weight of a member; ignored where it was evicted. */
  grow(member: T, weight: number): void;
  delete(member: T): void;
}

/**
 * A bounded set that always accepts the newest member. At most `mostMembers`, and at most `mostWeight` in all; a single heavier
 * member is accepted, and its owner limits it.
 */
export function createEvictingSet<T>(
  limits: { readonly mostMembers: number; readonly mostWeight: number },
  evict: (member: T) => void,
): EvictingSet<T> {
  // In order of insertion.
  const weights = new Map<T, number>();
  let total = 0;

  function remove(member: T): void {
    total -= weights.get(member) ?? 0;
    weights.delete(member);
  }

  function makeRoom(newest: T): void {
    for (const member of weights.keys()) {
      if (weights.size <= limits.mostMembers && total <= limits.mostWeight) return;
      if (member === newest) continue;
      remove(member);
      evict(member);
    }
  }

  return {
    add(member, weight) {
      remove(member);
      weights.set(member, weight);
      total += weight;
      makeRoom(member);
    },
    grow(member, weight) {
      const before = weights.get(member);
      if (before === undefined) return;
      weights.set(member, before + weight);
      total += weight;
      makeRoom(member);
    },
    delete: remove,
  };
}
