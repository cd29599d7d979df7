import { systemClock } from "#libs/runtime";
import type { NatsConnection, Subscription } from "@nats-io/transport-node";

import type { Link } from "../connection/link.ts";
import { readMessage } from "../errors.ts";
import type { BusNames } from "../names.ts";

const clock = systemClock();

/** Real ms: a subscription takes one round trip; the caller does not wait longer. */
const settleLimitMs = 1_000;

/**
 * Receives new messages under `pattern`, on this and every later connection, until `signal` aborts. Resolves when the server
 * has the subscription, or after a second. `onBack` is called when a later connection has it: requests made from then on are
 * answered after the subscription began.
 */
export async function listen(
  link: Link,
  names: BusNames,
  pattern: string,
  onMessage: (subject: string, body: string) => void,
  signal: AbortSignal,
  onBack: () => void = () => undefined,
): Promise<void> {
  if (signal.aborted) return;
  const heard = names.toRepublished(pattern);
  let subscription: Subscription | undefined;
  let connection: NatsConnection | undefined;
  let isLater = false;
  const detach = link.attach(({ nc }) => {
    connection = nc;
    subscription = nc.subscribe(heard, {
      callback(error, message) {
        try {
          if (error !== null) throw error;
          onMessage(names.toSubject(message.subject), message.string());
        } catch (fault) {
          // A message that the listener cannot process is logged, and the next one follows.
          link.reportFault(`${heard}: ${readMessage(fault)}`);
        }
      },
    });
    if (isLater) onBack();
  });
  isLater = true;
  // The client subscribes again by itself before it reports that the connection is back.
  const forget = link.onBack(onBack);
  const end = () => {
    detach();
    forget();
    subscription?.unsubscribe();
  };
  signal.addEventListener("abort", end, { once: true });
  // A connection that is lost meanwhile renews the subscription when it returns.
  const settled = connection?.flush().catch(() => undefined);
  await Promise.race([settled, clock.sleepReal(settleLimitMs, signal).catch(() => undefined)]);
}
