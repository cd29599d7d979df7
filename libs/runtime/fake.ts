import type { Clock } from "./clock/clock.ts";

/** Time that moves only when a test moves it. `now`-time and real time run alike. */
export interface VirtualClock extends Clock {
  /** Runs `fn` once after so many ms; the answer cancels it. */
  schedule(ms: number, fn: () => void): () => void;
  /** Moves time on, timer by timer in their order; what a timer set going is done before the next one fires. */
  advance(ms: number): Promise<void>;
  /** Lets time pass at once, as for a machine that was suspended: what was due meanwhile fires once, afterwards, in order. */
  leap(ms: number): Promise<void>;
  /** Lets everything that waits for no timer run to its end. */
  settle(): Promise<void>;
  /** Timers that wait. */
  pending(): number;
}

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/**
 * One turn of the event loop empties the microtask queue; what hops over `setImmediate` once itself needs the second. A flow
 * settles fifteen times for each of its seconds: three turns more were a twentieth of all its work.
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
  /** In the order of firing; of two at the same moment the older one first. */
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
    // Two at once would tear each other's order apart: always a bug of the test.
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
