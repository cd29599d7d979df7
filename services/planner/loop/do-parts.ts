import { BusUnavailable } from "#libs/bus";
import { doEach, type Logger } from "#libs/runtime";

/** A part of a reconcile, and what the log says where it could not be done. */
export type Part = readonly [failed: string, work: () => Promise<unknown>];

/**
 * What one part cannot do keeps none of the others from being done; a bus that does not answer ends them all. Answers whether all were
 * done.
 */
export async function doParts(log: Pick<Logger, "error">, parts: readonly Part[]): Promise<boolean> {
  let isWhole = true;
  await doEach(parts, async ([, work]) => work(), {
    onFault: ([failed], error) => {
      isWhole = false;
      log.error({ error }, failed);
    },
    isDown: (error) => error instanceof BusUnavailable,
  });
  return isWhole;
}
