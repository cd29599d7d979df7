import { doEach } from "#libs/runtime";

import { isPassing } from "./judge-fault.ts";

/** The message is in other hands: nothing was lost, and they do the rest. */
export class NotHeld extends Error {
  override readonly name = "NotHeld";
}

/**
 * Does for each what is to be told or shown. One that a place refuses keeps no other from it: its fault is thrown at the end, so that it
 * is logged and tried again as any other. A place that is away ends it at once.
 */
export async function tellEach<T>(items: Iterable<T>, tell: (item: T) => Promise<unknown>): Promise<void> {
  const faults: Error[] = [];
  await doEach(items, tell, {
    onFault: (_, error) => faults.push(error instanceof Error ? error : new Error(String(error))),
    isDown: (error) => error instanceof NotHeld || isPassing(error),
  });
  const [first] = faults;
  if (first !== undefined) throw first;
}
