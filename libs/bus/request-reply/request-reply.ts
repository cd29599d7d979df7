import { systemClock } from "#libs/runtime";
import { headers, type Msg, type NatsConnection, type Subscription } from "@nats-io/transport-node";

import { RequestFailed, BusUnavailable, readMessage } from "../errors.ts";
import type { Link } from "../connection/link.ts";
import { type BusNames, checkRequestSubject } from "../names.ts";

const clock = systemClock();

/** Carries what went wrong at the one who answers. */
const failureHeader = "Meshroll-Failure";
/** Real ms: a subscription is known to the server after one round trip; no caller waits longer for that. */
const settleLimitMs = 1_000;

/**
 * Subscribes on this and every later connection, until `signal` aborts. Resolves when the server knows, or after a second.
 * `onBack` is called when a later connection has the subscription: what is asked of the server from there on, it answers
 * after it knows of the subscription.
 */
async function subscribe(
  link: Link,
  subject: string,
  take: (message: Msg) => void,
  signal: AbortSignal,
  onBack: () => void = () => undefined,
): Promise<void> {
  if (signal.aborted) return;
  let subscription: Subscription | undefined;
  let connection: NatsConnection | undefined;
  let isLater = false;
  const detach = link.attach(({ nc }) => {
    connection = nc;
    subscription = nc.subscribe(subject, {
      callback: (error, message) => (error === null ? take(message) : link.tell(`${subject}: ${error.message}`)),
    });
    if (isLater) onBack();
  });
  isLater = true;
  // The client subscribes again by itself when the connection is back, before it says so.
  const forget = link.onBack(onBack);
  const end = () => {
    detach();
    forget();
    subscription?.unsubscribe();
  };
  signal.addEventListener("abort", end, { once: true });
  // A connection that is lost meanwhile takes the subscription along when it returns.
  const settled = connection?.flush().catch(() => undefined);
  await Promise.race([settled, clock.sleepReal(settleLimitMs, signal).catch(() => undefined)]);
}

/** New messages under `pattern`. */
export async function listen(
  link: Link,
  names: BusNames,
  pattern: string,
  onMessage: (subject: string, body: string) => void,
  signal: AbortSignal,
  onBack?: () => void,
): Promise<void> {
  const take = (message: Msg) => onMessage(names.toSubject(message.subject), message.string());
  await subscribe(link, names.toHeard(pattern), take, signal, onBack);
}

/** One question, one answer. */
export async function request(
  link: Link,
  names: BusNames,
  subject: string,
  body: string,
  timeoutMs: number,
): Promise<string> {
  checkRequestSubject(subject);
  const { nc } = await link.open(timeoutMs);
  const answer = await nc.request(names.toSaid(subject), body, { timeout: timeoutMs }).catch((error: unknown) => {
    throw new BusUnavailable(`no answer to ${subject} within ${timeoutMs} ms: ${readMessage(error)}`, {
      cause: error,
    });
  });
  const failure = answer.headers?.get(failureHeader) ?? "";
  if (failure !== "") throw new RequestFailed(decodeURIComponent(failure));
  return answer.string();
}

/** Answers questions; an error of `handle` becomes the asker's `RequestFailed`. */
export async function answer(
  link: Link,
  names: BusNames,
  subject: string,
  handle: (body: string) => Promise<string>,
  signal: AbortSignal,
): Promise<void> {
  checkRequestSubject(subject);
  const reply = async (message: Msg): Promise<void> => {
    try {
      message.respond(await handle(message.string()));
    } catch (error) {
      const failure = headers();
      // Headers are lines of ASCII.
      failure.set(failureHeader, encodeURIComponent(readMessage(error)));
      message.respond("", { headers: failure });
    }
  };
  await subscribe(link, names.toSaid(subject), (message) => void reply(message), signal);
}
