/** Slack's limits of one app in one workspace: posts by channel, every other method by its tier. */
export interface RateLimit {
  /** Seconds to wait, or undefined when the call may go through. */
  take(method: string, channel: string): number | undefined;
}

/** How many calls may come at once, and how many follow in the long run. */
interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateLimitOptions {
  /** Of posts, for each channel. */
  readonly burst: number;
  readonly perSecond: number;
  /** Calls a minute of each other method; default: the tiers that Slack publishes. */
  readonly perMinute?: Readonly<Record<string, number>>;
}

/** Slack's published tiers (docs.slack.dev, rate limits): 2 is 20 a minute and more, 3 is 50, and what they call special. */
const publishedPerMinute: Readonly<Record<string, number>> = {
  "auth.test": 200,
  "chat.update": 50,
  "conversations.history": 50,
  "conversations.list": 20,
  "conversations.replies": 50,
};

/** One allowance that fills up with time. */
function createBucket({ burst, perSecond }: Allowance, monotonic: () => number): () => number | undefined {
  let left = burst;
  let at = monotonic();
  return () => {
    const now = monotonic();
    left = Math.min(burst, left + ((now - at) / 1000) * perSecond);
    at = now;
    if (left < 1) return Math.max(1, Math.ceil((1 - left) / perSecond));
    left -= 1;
    return undefined;
  };
}

export function createRateLimit(options: RateLimitOptions, monotonic: () => number): RateLimit {
  const perMinute = new Map(Object.entries({ ...publishedPerMinute, ...options.perMinute }));
  const buckets = new Map<string, () => number | undefined>();
  function allow(method: string): Allowance {
    if (method === "chat.postMessage") return options;
    const count = perMinute.get(method) ?? Number.POSITIVE_INFINITY;
    return { burst: count, perSecond: count / 60 };
  }
  return {
    take(method, channel) {
      const key = method === "chat.postMessage" ? `${method} ${channel}` : method;
      const take = buckets.get(key) ?? createBucket(allow(method), monotonic);
      buckets.set(key, take);
      return take();
    },
  };
}
