import { BusUnavailable } from "#libs/bus";
import { doEach, type Logger } from "#libs/runtime";

/** A part of a reconcile, and the log message for its failure. */
export type Part = readonly [failed: string, work: () => Promise<unknown>];

/**
 * Does all parts: one that fails is logged and the others are still done, but a bus that does not answer ends them all. Returns
 * whether all succeeded.
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
