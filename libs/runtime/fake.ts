import type { Clock } from "./clock/clock.ts";

/** A clock that only a test advances. `now`-time and real time run at the same speed. */
export interface VirtualClock extends Clock {
  /** Runs `fn` once after this many ms; the returned function cancels it. */
  schedule(ms: number, fn: () => void): () => void;
  /** Advances the time timer by timer; what a timer starts is finished before the next one fires. */
  advance(ms: number): Promise<void>;
  /** Advances the time in one step, as for a suspended machine: each timer that was due fires once afterwards, in order. */
  leap(ms: number): Promise<void>;
  /** Runs everything that does not wait for a timer to its end. */
  settle(): Promise<void>;
  /** Timers that wait. */
  pending(): number;
}

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/**
 * One turn of the event loop empties the microtask queue; code that uses `setImmediate` once needs a second. Flows settle
 * fifteen times per simulated second, so three turns more cost a twentieth of their run time.
 */
const turnsToSettle = 2;

function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < turnsToSettle; turn++) await takeTurn();
}

/** A clock for tests; it starts at `start`, epoch ms. */
export function createVirtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  let passed = 0;
  let isAdvancing = false;
  /** In the order of firing; of two at the same time the older one first. */
  const timers: Timer[] = [];

  function schedule(ms: number, fire: () => void): () => void {
    const timer = { at: passed + Math.max(0, ms), fire };
    const next = timers.findIndex(({ at }) => at > timer.at);
    timers.splice(next === -1 ? timers.length : next, 0, timer);
    return () => {
      const index = timers.indexOf(timer);
      if (index !== -1) timers.splice(index, 1);
    };
  }

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const cancel = schedule(ms, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      function abort(): void {
        cancel();
        reject(signal?.reason as Error);
      }
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  async function advance(ms: number): Promise<void> {
    // Two at once would fire timers out of order: a bug of the test.
    if (isAdvancing) throw new Error("the virtual clock is being advanced already: await the first advance");
    isAdvancing = true;
    try {
      const until = passed + ms;
      await settle();
      for (let next = timers[0]; next !== undefined && next.at <= until; next = timers[0]) {
        timers.shift();
        passed = Math.max(passed, next.at);
        next.fire();
        await settle();
      }
      passed = until;
    } finally {
      isAdvancing = false;
    }
  }

  async function leap(ms: number): Promise<void> {
    passed += ms;
    await advance(0);
  }

  return {
    now: () => start + passed,
    elapsed: () => passed,
    monotonic: () => passed,
    sleep,
    sleepReal: sleep,
    schedule,
    advance,
    leap,
    settle,
    pending: () => timers.length,
  };
}
