/** What the judge's process may use. */
export interface JudgeLimits {
  /** Of V8's heap: the fleet's inventory, and what one pull request's files become, MiB. */
  readonly memoryMib: number;
  /** For one pull request, real ms. */
  readonly timeMs: number;
  /** To start, and to take in a whole snapshot, real ms. */
  readonly startMs: number;
  /** Of one answer: the list of who moves is as long as the fleet. */
  readonly answerBytes: number;
}

/** A fleet of 50,000 workloads takes 100 MiB, and the judge of a pull request over it less than a second. */
export const judgeLimits: JudgeLimits = {
  memoryMib: 512,
  timeMs: 10_000,
  startMs: 60_000,
  answerBytes: 64 * 1024 * 1024,
};

/** With this code the process ends by itself when one pull request took too long. */
export const overTimeCode = 70;
