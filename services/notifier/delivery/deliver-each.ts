import { doEach } from "#libs/runtime";

import { isPassing } from "./judge-fault.ts";

/** Another notifier has the message and does the rest. */
export class NotHeld extends Error {
  override readonly name = "NotHeld";
}

/**
 * Handles each item. If one is refused, the others are handled and its error is thrown at the end, to be logged and tried
 * again. An unavailable place ends the loop at once.
 */
export async function deliverEach<T>(items: Iterable<T>, deliver: (item: T) => Promise<unknown>): Promise<void> {
  const faults: Error[] = [];
  await doEach(items, deliver, {
    onFault: (_, error) => faults.push(error instanceof Error ? error : new Error(String(error))),
    isDown: (error) => error instanceof NotHeld || isPassing(error),
  });
  const [first] = faults;
  if (first !== undefined) throw first;
}
