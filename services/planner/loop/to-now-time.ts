/** `now` and `elapsed` of a clock at one moment. */
export interface Moment {
  readonly now: number;
  readonly elapsed: number;
}

/**
 * The `now`-time of what was noted by `elapsed`, however the machine's clock was set since then. To a tenth of a second: the
 * two clocks tick apart, and a time that flickers between two reconciles would be published at each of them.
 */
export function toNowTime(at: number, { now, elapsed }: Moment): number {
  return Math.round((now + at - elapsed) / 100) * 100;
}
