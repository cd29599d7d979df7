/** `now` and `elapsed` of a clock at one moment. */
export interface Moment {
  readonly now: number;
  readonly elapsed: number;
}

/**
 * The `now`-time of a moment noted by `elapsed`, however the machine's clock was set since then. Rounded to a tenth of a
 * second: the two clocks drift, and a time that differs between two reconciles would be published each time.
 */
export function toNowTime(at: number, { now, elapsed }: Moment): number {
  return Math.round((now + at - elapsed) / 100) * 100;
}
