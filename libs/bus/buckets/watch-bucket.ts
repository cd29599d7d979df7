import { systemClock } from "#libs/runtime";

import { nameTrouble } from "../connection/classify.ts";
import { NotMade, readMessage } from "../errors.ts";
import { followBucket, identify, isOther } from "./follow-bucket.ts";
import type { Link, Session } from "../connection/link.ts";
import type { KeyWatcher } from "../port.ts";

const clock = systemClock();

/** The watched bucket. */
export interface WatchedBucket {
  readonly link: Link;
  readonly name: string;
  /** Creates it when it is absent. */
  make(session: Session): Promise<unknown>;
}

/** Longest wait for the first keys, real ms; a watch that could not begin is started again after `retryMs`. */
const firstLimitMs = 2_000;
const retryMs = 250;
/** A deleted bucket sends no message to its watchers, so it is checked this often. */
const checkEveryMs = 1_000;

/** Waits until the bucket is another one, or `round` aborts. */
async function awaitOther({ link, name }: WatchedBucket, session: Session, round: AbortSignal): Promise<void> {
  let before = await identify(session, name);
  for (;;) {
    await clock.sleepReal(checkEveryMs, round);
    // Without a connection nothing can be checked; its return ends this round.
    if (!link.isConnected()) continue;
    const now = await identify(session, name);
    if (isOther(before, now)) return;
    before = now;
  }
}

/** Watches until the connection is lost, the bucket is another one, the client gives up, or `stop` aborts. */
async function watchOnce(
  bucket: WatchedBucket,
  pattern: string,
  watcher: KeyWatcher,
  stop: AbortSignal,
): Promise<void> {
  const { link, name } = bucket;
  const round = new AbortController();
  const end = () => round.abort();
  stop.addEventListener("abort", end, { once: true });
  const forget = link.onBack(end);
  try {
    const session = await link.open(Number.MAX_SAFE_INTEGER, stop);
    await bucket.make(session);
    const other = awaitOther(bucket, session, round.signal);
    // It may end while the keys are still being read; it is awaited below.
    other.catch(() => undefined);
    await followBucket(session, name, pattern, watcher, round, (fault) =>
      link.reportFault(`the watch of ${name}: ${fault}`),
    );
    await other;
  } catch (error) {
    if (!round.signal.aborted) throw error;
  } finally {
    forget();
    stop.removeEventListener("abort", end);
    round.abort();
  }
}

/** A forbidden watch is retried for ever, so it is reported by name. */
function noteRefusal({ link, name }: WatchedBucket, pattern: string, error: unknown): void {
  const code = nameTrouble(error);
  const what = `the watch of ${pattern} of ${name}`;
  if (code !== undefined)
    link.troubles.note(what, code, `NATS at ${link.address} refused ${what}: ${readMessage(error)}`);
}

/** A bucket that another login creates counts as empty until then. */
async function awaitMade({ link, name }: WatchedBucket, watcher: KeyWatcher, stop: AbortSignal): Promise<void> {
  watcher.onReset();
  watcher.onReady();
  try {
    while (!stop.aborted) {
      await clock.sleepReal(checkEveryMs, stop);
      const session = await link.open(Number.MAX_SAFE_INTEGER, stop);
      if ((await identify(session, name)) !== undefined) return;
    }
  } catch {
    // The server went away, or the watch ends: the next round tries again.
  }
}

/** Forwards the watcher's calls, without the reset of a watch that only begins; `ready` aborts at the first `onReady`. */
function wrapWatcher(watcher: KeyWatcher, ready: AbortController): KeyWatcher {
  let hasBegun = false;
  return {
    onEntry: (entry) => watcher.onEntry(entry),
    onReset() {
      if (hasBegun) watcher.onReset();
      hasBegun = true;
    },
    onReady() {
      ready.abort();
      watcher.onReady();
    },
  };
}

/**
 * Watches until `signal` aborts or the link is closed, through outages and wipes. Resolves with the first `onReady`, or after 2
 * s without a server; the watch continues in either case.
 */
export async function watchBucket(
  bucket: WatchedBucket,
  pattern: string,
  watcher: KeyWatcher,
  signal: AbortSignal,
): Promise<void> {
  const { link, name } = bucket;
  const stop = AbortSignal.any([signal, link.closing]);
  const ready = new AbortController();
  const wrapped = wrapWatcher(watcher, ready);

  async function watchAlways(): Promise<void> {
    while (!stop.aborted) {
      try {
        await watchOnce(bucket, pattern, wrapped, stop);
      } catch (error) {
        if (error instanceof NotMade) await awaitMade(bucket, wrapped, stop);
        else if (!stop.aborted) noteRefusal(bucket, pattern, error);
        if (!(error instanceof NotMade) && !stop.aborted)
          link.reportFault(`the watch of ${name} is opened again: ${readMessage(error)}`);
        await clock.sleepReal(retryMs, stop).catch(() => undefined);
      }
    }
  }
  void watchAlways();
  await clock.sleepReal(firstLimitMs, AbortSignal.any([ready.signal, stop])).catch(() => undefined);
}
