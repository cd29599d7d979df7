/** Runs one at a time, in the order of the calls. */
type Serial = <T>(work: () => Promise<T>) => Promise<T>;

/** Two git processes that write the same clone at once trip over each other's lock files. */
function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work, work);
    // The next caller waits for the end, whatever it was; the error itself goes to this caller.
    last = mine.catch(() => undefined);
    return mine;
  };
}

/**
 * Who may use the clone at the same time. What reads it runs at once: objects never change. What fetches and what pushes
 * waits for its own kind alone, so that a server which hangs in one of them holds up neither the other nor a read. Only making
 * the clone again needs it for itself.
 */
export interface Lanes {
  /** Anything that uses the clone: begins while the clone is not being replaced, and keeps it from being replaced meanwhile. */
  use<T>(work: () => Promise<T>): Promise<T>;
  /** Inside `use`: one fetch at a time. */
  readonly fetching: Serial;
  /** Inside `use`: one push at a time. */
  readonly pushing: Serial;
  /** Outside of `use`: begins when all that runs has ended. */
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
