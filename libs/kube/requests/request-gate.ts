/** Requests per second on average, and at once after a quiet time. */
export interface RequestRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Real ms. */
interface GateClock {
  monotonic(): number;
  sleepReal(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Limits the requests to one API server. Each server has its own, so that trouble with one does not delay the others. */
export interface RequestGate {
  /** Resolves with 0 when the write may be sent now; else with the real ms after which it may be tried again. */
  admitWrite(): Promise<number>;
  /** 0 when an Event may be sent now; else the real ms after which it may be tried again. It never takes the place of a write. */
  admitEvent(): number;
  /** As `admitWrite`, for a read that no decision depends on, at the rate of lists. */
  admitCause(): Promise<number>;
  /** Resolves when a page of a list may be asked for. Rejects only when the signal aborts. */
  admitList(signal: AbortSignal): Promise<void>;
  /** The server asked for a pause of this length (429 with Retry-After). */
  quieten(ms: number): void;
}

/** Writes are few and small: client-go's own figures. @internal */
export const WRITE_RATE: RequestRate = { perSecond: 20, burst: 30 };
/** Pages come one after the other per collection, and reading a large cluster again must not take minutes. @internal */
export const LIST_RATE: RequestRate = { perSecond: 50, burst: 100 };

/** Half of what writes get: a burst of skipped workloads must not fill etcd with notes. @internal */
export const EVENT_RATE: RequestRate = { perSecond: 10, burst: 50 };

/** A write that would wait longer is decided again instead: its facts would be old by then. A cause is not worth more either. */
const longestWaitMs = 500;

interface Bucket {
  /** Takes a token that is there or will be within `longestMs`; answers the ms until then, undefined when it takes longer. */
  take(longestMs: number): number | undefined;
  /** Ms until the next one would be there. */
  wait(): number;
}

function createBucket({ perSecond, burst }: RequestRate, now: () => number): Bucket {
  let tokens = burst;
  let filledAt = now();
  const wait = () => {
    const moment = now();
    tokens = Math.min(burst, tokens + ((moment - filledAt) * perSecond) / 1000);
    filledAt = moment;
    return Math.max(0, Math.ceil(((1 - tokens) * 1000) / perSecond));
  };
  return {
    wait,
    take: (longestMs) => {
      const ms = wait();
      if (ms > longestMs) return undefined;
      // Below zero: a token that is promised to a waiting caller.
      tokens -= 1;
      return ms;
    },
  };
}

/** Lists, writes and Events have separate buckets, so that a new list of the cluster does not delay a rollback. */
export function createRequestGate(
  clock: GateClock,
  rates: { readonly writes?: RequestRate; readonly lists?: RequestRate } = {},
): RequestGate {
  const now = () => clock.monotonic();
  const writes = createBucket(rates.writes ?? WRITE_RATE, now);
  const lists = createBucket(rates.lists ?? LIST_RATE, now);
  const events = createBucket(EVENT_RATE, now);
  let quietUntil = Number.NEGATIVE_INFINITY;
  const quietMs = () => Math.max(0, quietUntil - now());
  const admit = async (bucket: Bucket): Promise<number> => {
    if (quietMs() > 0) return quietMs();
    const ms = bucket.take(longestWaitMs);
    if (ms === undefined) return bucket.wait();
    if (ms > 0) await clock.sleepReal(ms);
    // The server may have asked for a pause while this request waited.
    return quietMs();
  };
  return {
    quieten: (ms) => void (quietUntil = Math.max(quietUntil, now() + ms)),
    admitWrite: async () => admit(writes),
    admitCause: async () => admit(lists),
    admitEvent: () => {
      const ms = quietMs();
      if (ms > 0) return ms;
      return events.take(0) === undefined ? events.wait() : 0;
    },
    admitList: async (signal) => {
      for (let ms = quietMs(); ms > 0; ms = quietMs()) await clock.sleepReal(ms, signal);
      const ms = lists.take(Number.POSITIVE_INFINITY) ?? 0;
      if (ms > 0) await clock.sleepReal(ms, signal);
    },
  };
}
