/** Slack's special tier for posts: about one per second and channel, with short bursts. */
export interface RateLimit {
  /** Seconds to wait, or undefined when the post may go through. */
  take(channel: string): number | undefined;
}

export interface RateLimitOptions {
  /** Posts that may come at once. */
  readonly burst: number;
  readonly perSecond: number;
}

export function createRateLimit({ burst, perSecond }: RateLimitOptions, monotonic: () => number): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(channel) {
      const now = monotonic();
      const bucket = buckets.get(channel) ?? { left: burst, at: now };
      buckets.set(channel, bucket);
      bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond);
      bucket.at = now;
      if (bucket.left < 1) return Math.max(1, Math.ceil((1 - bucket.left) / perSecond));
      bucket.left -= 1;
      return undefined;
    },
  };
}
