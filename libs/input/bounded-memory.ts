/**
 * What was worked out for texts. Texts come from outside, and there is no end of them: at most `most` are remembered, and the next
 * one forgets them all.
 */
export class BoundedMemory<V> {
  readonly #most: number;
  readonly #known = new Map<string, V>();

  constructor(most: number) {
    this.#most = most;
  }

  /** What was made for this text before, or what `make` makes now; a text for which it throws is not remembered. */
  recall(text: string, make: () => V): V {
    const known = this.#known.get(text);
    if (known !== undefined || this.#known.has(text)) return known as V;
    const made = make();
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(text, made);
    return made;
  }

  get size(): number {
    return this.#known.size;
  }
}
