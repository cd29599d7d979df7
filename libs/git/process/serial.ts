/** Runs one at a time, in the order of the calls. */
export type Serial = <T>(work: () => Promise<T>) => Promise<T>;

/** Two git processes that write the same clone at once trip over each other's lock files. */
export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work, work);
    // The next caller waits for the end, whatever it was; the error itself goes to this caller.
    last = mine.catch(() => undefined);
    return mine;
  };
}
