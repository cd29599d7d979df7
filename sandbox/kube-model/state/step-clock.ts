import type { ModelClock } from "../objects/clock.ts";

/** A clock that is stopped until it is told to go on. */
export interface StepClock extends ModelClock {
  /** Runs everything due within `ms`, in order of time, then of scheduling. */
  advance(ms: number): void;
  /** How many timers wait. */
  pending(): number;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  fn: (() => void) | undefined;
}

/** Deterministic scheduler for tests. `start` is epoch ms. */
export function createStepClock(start: number = Date.UTC(2026, 0, 5, 9)): StepClock {
  const heap: Timer[] = [];
  let now = start;
  let order = 0;
  let cancelled = 0;
  return {
    now: () => now,
    pending: () => heap.length - cancelled,
    schedule: (ms, fn) => {
      const timer: Timer = { at: now + Math.max(0, ms), order: order++, fn };
      push(heap, timer);
      return () => {
        // Cancelled timers stay in the heap until their time: removing them would cost a search.
        if (timer.fn !== undefined) cancelled++;
        timer.fn = undefined;
      };
    },
    advance: (ms) => {
      const end = now + ms;
      for (let next = heap[0]; next !== undefined && next.at <= end; next = heap[0]) {
        pop(heap);
        now = next.at;
        const { fn } = next;
        if (fn === undefined) cancelled--;
        next.fn = undefined;
        fn?.();
      }
      now = end;
    },
  };
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Timer[], timer: Timer): void {
  let index = heap.length;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !isBefore(timer, above)) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = timer;
}

function pop(heap: Timer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const child = smallerChild(heap, index);
    const below = heap[child];
    if (below === undefined || !isBefore(below, last)) break;
    heap[index] = below;
    index = child;
  }
  heap[index] = last;
}

function smallerChild(heap: readonly Timer[], index: number): number {
  const left = 2 * index + 1;
  const a = heap[left];
  const b = heap[left + 1];
  return a !== undefined && b !== undefined && isBefore(b, a) ? left + 1 : left;
}
