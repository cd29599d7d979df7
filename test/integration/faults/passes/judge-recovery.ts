import type { Pass } from "./fault.ts";

/** How many times the longest pause of an undisturbed run, where the fault does not say otherwise. */
const defaultTimes = 5;

/** The least pause to compare with, real ms: clients back off by the clock, on a fast machine too. */
export const leastPauseMs = 3000;

/** The longest pause of these undisturbed passes, real ms, at least three seconds; undefined where none ran to its end. */
export function findLongestPause(passes: readonly Pass[]): number | undefined {
  const pauses = passes.flatMap(({ pauseMs, problem }) =>
    pauseMs === undefined || problem !== undefined ? [] : [pauseMs],
  );
  return pauses.length === 0 ? undefined : Math.max(leastPauseMs, ...pauses);
}

function printSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The pass, with a problem where its recovery took much longer than the pauses of an undisturbed run. */
export function judgeRecovery(pass: Pass, times = defaultTimes, pauseMs?: number): Pass {
  const { recoveryMs, problem } = pass;
  if (problem !== undefined || recoveryMs === undefined) return pass;
  if (pauseMs === undefined) return { ...pass, problem: "no undisturbed run to compare its recovery with" };
  if (recoveryMs <= times * pauseMs) return pass;
  const ratio = (recoveryMs / pauseMs).toFixed(1);
  const took = `it went on ${printSeconds(recoveryMs)} after the cause was gone, ${ratio} times the longest pause`;
  return {
    ...pass,
    problem: `${took} of an undisturbed run (${printSeconds(pauseMs)}); at most ${times} times is allowed`,
  };
}
