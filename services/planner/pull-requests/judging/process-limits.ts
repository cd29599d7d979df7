/** Limits of the judge's process. */
export interface JudgeLimits {
  /** V8's heap, MiB: for the fleet's inventory and the compiled files of one pull request. */
  readonly memoryMib: number;
  /** For one pull request, real ms. */
  readonly timeMs: number;
  /** For the start, and for receiving a whole snapshot, real ms. */
  readonly startMs: number;
  /** Of one answer: its list of workloads may name the whole fleet. */
  readonly answerBytes: number;
}

/** A fleet of 50,000 workloads takes 100 MiB, and judging a pull request over it less than a second. */
export const judgeLimits: JudgeLimits = {
  memoryMib: 512,
  timeMs: 10_000,
  startMs: 60_000,
  answerBytes: 64 * 1024 * 1024,
};

/** Exit code of the process when one pull request took too long. */
export const overTimeCode = 70;
