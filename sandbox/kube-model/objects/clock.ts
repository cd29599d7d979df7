import type { Clock } from "#libs/runtime";

/** The only time the model knows: it must run on a virtual clock in process and on a scaled one in the sandbox. */
export interface ModelClock {
  /** Epoch ms. */
  now(): number;
  /** Runs `fn` once after `ms`; the answer cancels it. */
  schedule(ms: number, fn: () => void): () => void;
}

/** Lets the model live on a service's clock: the people's time, which the sandbox may run faster. */
export function toModelClock(clock: Clock): ModelClock {
  return {
    now: () => clock.now(),
    schedule: (ms, fn) => {
      const controller = new AbortController();
      // Only a cancel rejects the sleep. An error of `fn` is a bug of the model and must stay an unhandled rejection.
      void clock.sleep(ms, controller.signal).then(fn, () => undefined);
      return () => controller.abort();
    },
  };
}
