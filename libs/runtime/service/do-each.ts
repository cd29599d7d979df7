/** How the items of a loop stand apart from each other. */
export interface Apart<T> {
  /** Logs the fault of an item, and says what else becomes of it. */
  readonly onFault: (item: T, error: unknown) => void;
  /** True for a fault that is no item's own, as of a server that is down: it ends the turn. Absent = none is. */
  readonly isDown?: (error: unknown) => boolean;
}

/**
 * Does for each item, one after the other, what is to be done. What fails for one of them is that item's alone: the others are done
 * all the same.
 */
export async function doEach<T>(
  items: Iterable<T>,
  act: (item: T) => Promise<unknown>,
  { onFault, isDown }: Apart<T>,
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
