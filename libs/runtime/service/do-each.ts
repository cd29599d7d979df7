import type { Logger } from "../log/logger.ts";

/** How the items of a loop stand apart from each other. */
export interface Apart<T> {
  readonly log: Pick<Logger, "warn">;
  /** What could not be done for an item, as the line of the log says it. */
  readonly failed: string;
  /** Which item it was: fields of that line. */
  readonly describe: (item: T) => object;
  /** True for a fault that is no item's own, as of a server that is down: it ends the turn. Absent = none is. */
  readonly isDown?: (error: unknown) => boolean;
  /** What else becomes of an item's fault. */
  readonly onFault?: (item: T, error: unknown) => void;
}

/**
 * Does for each item, one after the other, what is to be done. What fails for one of them is logged with its name and is that item's
 * alone: the others are done all the same.
 */
export async function doEach<T>(
  items: Iterable<T>,
  act: (item: T) => Promise<unknown>,
  { log, failed, describe, isDown, onFault }: Apart<T>,
): Promise<void> {
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      if (isDown?.(error) === true) throw error;
      log.warn({ error, ...describe(item) }, failed);
      onFault?.(item, error);
    }
  }
}
