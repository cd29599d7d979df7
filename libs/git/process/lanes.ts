/** Runs one at a time, in the order of calls. */
type Serial = <T>(work: () => Promise<T>) => Promise<T>;

/** Two git processes that write the same clone at once would collide on lock files. */
function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work, work);
    // The next caller waits for any end; the error goes to this caller only.
    last = mine.catch(() => undefined);
    return mine;
  };
}

/**
 * Which operations may use the clone at the same time. Reads run at once, because objects never change. Fetches wait for
 * fetches and pushes for pushes only, so that a hanging server delays neither the other kind nor reads. Only replacing the
 * clone needs it exclusively.
 */
export interface Lanes {
  /** Uses the clone: begins while it is not being replaced, and prevents that meanwhile. */
  use<T>(work: () => Promise<T>): Promise<T>;
  /** Inside `use`: one fetch at a time. */
  readonly fetching: Serial;
  /** Inside `use`: one push at a time. */
  readonly pushing: Serial;
  /** Outside of `use`: begins when all uses have ended. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function createLanes(): Lanes {
  const making = createSerial();
  let gate: Promise<unknown> = Promise.resolve();
  const running = new Set<Promise<unknown>>();

  return {
    fetching: createSerial(),
    pushing: createSerial(),
    async use(work) {
      for (let seen: unknown; seen !== gate;) {
        seen = gate;
        await gate;
      }
      const mine = work();
      const ended = mine.then(
        () => undefined,
        () => undefined,
      );
      running.add(ended);
      void ended.then(() => running.delete(ended));
      return mine;
    },
    async alone(work) {
      const mine = making(async () => {
        await Promise.all(running);
        return work();
      });
      gate = mine.then(
        () => undefined,
        () => undefined,
      );
      return mine;
    },
  };
}
