/** An event at a time of the virtual clock. */
export interface Timed {
  /** Epoch ms. */
  readonly at: number;
}

/**
 * Events in the order of their time; events of the same time in the order in which they were added, so that a simulation is
 * repeatable. A binary heap: the cost of an event is the logarithm of the number of pending ones.
 */
export class EventQueue<E extends Timed> {
  readonly #heap: { readonly event: E; readonly order: number }[] = [];
  #added = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** The time of the next event; undefined without one. */
  get nextAt(): number | undefined {
    return this.#heap[0]?.event.at;
  }

  add(event: E): void {
    const entry = { event, order: this.#added };
    this.#added += 1;
    let place = this.#heap.length;
    this.#heap.push(entry);
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.#isBefore(place, above)) break;
      this.#swap(place, above);
      place = above;
    }
  }

  /** Removes and returns the next event if its time has come. */
  takeUntil(now: number): E | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.event.at > now) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first.event;
  }

  #sink(): void {
    let place = 0;
    for (;;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      let least = place;
      if (left < this.#heap.length && this.#isBefore(left, least)) least = left;
      if (right < this.#heap.length && this.#isBefore(right, least)) least = right;
      if (least === place) return;
      this.#swap(place, least);
      place = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (first === undefined || second === undefined) return false;
    return first.event.at - second.event.at < 0 || (first.event.at === second.event.at && first.order < second.order);
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (first === undefined || second === undefined) return;
    this.#heap[a] = second;
    this.#heap[b] = first;
  }
}
