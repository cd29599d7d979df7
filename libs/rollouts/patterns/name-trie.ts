/** Initial capacity, in edges; a power of two. */
const FIRST_SLOTS = 128;

/**
 * ASCII texts as a tree of characters. All edges are in one open-addressing hash table, some 16 to 32 bytes each, where a table
 * per node would need 500 bytes.
 */
export class NameTrie {
  #slots = new Int32Array(FIRST_SLOTS * 2);
  #mask = FIRST_SLOTS - 1;
  #edges = 0;

  /** The root's number. Nodes are numbered in the order of their creation. */
  static readonly root = 0;

  /** The child for a UTF-16 unit; 0 when there is none. */
  next(node: number, unit: number): number {
    return unit > 0x7f ? 0 : (this.#slots[this.#find(keyOf(node, unit)) + 1] ?? 0);
  }

  /** The child for an ASCII unit, created if missing. */
  grow(node: number, unit: number): number {
    const known = this.next(node, unit);
    if (known > 0) return known;
    if (this.#edges * 2 > this.#mask) this.#double();
    this.#put(keyOf(node, unit), ++this.#edges);
    return this.#edges;
  }

  /** The slot of a key, or the free slot for it. Half of the slots are free, so the search ends. */
  #find(key: number): number {
    const slots = this.#slots;
    // The upper bits of the product are well mixed.
    let slot = (Math.imul(key, 0x9e3779b1) >>> 8) & this.#mask;
    while (slots[slot * 2] !== key && slots[slot * 2] !== 0) slot = (slot + 1) & this.#mask;
    return slot * 2;
  }

  #put(key: number, child: number): void {
    const at = this.#find(key);
    this.#slots[at] = key;
    this.#slots[at + 1] = child;
  }

  #double(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    this.#mask = old.length - 1;
    for (let at = 0; at < old.length; at += 2) {
      const key = old[at] ?? 0;
      if (key !== 0) this.#put(key, old[at + 1] ?? 0);
    }
  }
}

/** Never 0, which marks a free slot. Unique for 16 million nodes; a file of 1 MiB makes at most half of that. */
function keyOf(node: number, unit: number): number {
  return ((node << 7) | unit) + 1;
}
