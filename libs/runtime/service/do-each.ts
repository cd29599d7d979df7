/** What happens when an item of a loop fails. */
export interface EachOptions<T> {
  /** Logs the fault of one item, and does what else follows from it. */
  readonly onFault: (item: T, error: unknown) => void;
  /** Whether a fault concerns all items, such as a server that is down; it ends the loop. Absent = none does. */
  readonly isDown?: (error: unknown) => boolean;
}

/** Runs `act` for each item, one after the other. A fault of one item does not keep the others from being done. */
export async function doEach<T>(
  items: Iterable<T>,
  act: (item: T) => Promise<unknown>,
  { onFault, isDown }: EachOptions<T>,
): Promise<void> {
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      if (isDown?.(error) === true) throw error;
      onFault(item, error);
    }
  }
}
