/** Caches immutable values, such as objects named by their content; drops the least recently used. */
export interface BoundedCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  clear(): void;
}

/** `limit` is in the unit of `weigh`; the default weight of an entry is 1. */
export function createBoundedCache<V>(limit: number, weigh: (value: V) => number = () => 1): BoundedCache<V> {
  const entries = new Map<string, V>();
  let weight = 0;

  function drop(key: string): void {
    const value = entries.get(key);
    if (value === undefined) return;
    entries.delete(key);
    weight -= weigh(value);
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      drop(key);
      entries.set(key, value);
      weight += weigh(value);
      for (const oldest of entries.keys()) {
        if (weight <= limit || oldest === key) break;
        drop(oldest);
      }
    },
    clear() {
      entries.clear();
      weight = 0;
    },
  };
}
