import type { Pass } from "./fault.ts";
import { leastPauseMs } from "./judge-recovery.ts";

function printSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/**
 * The pass, with a problem where one of its measurements exceeds its limit. On a busy machine an undisturbed run pauses for
 * longer: then the limit grows in the same proportion. It never shrinks.
 */
export function judgeFigures(pass: Pass, limitsMs: Readonly<Record<string, number>> = {}, pauseMs?: number): Pass {
  const limits = Object.entries(limitsMs);
  if (pass.problem !== undefined || limits.length === 0) return pass;
  if (pauseMs === undefined) return { ...pass, problem: "no undisturbed run to compare its figures with" };
  const stretch = Math.max(1, pauseMs / leastPauseMs);
  const figures = new Map(Object.entries(pass.figures));
  const problems = limits.flatMap(([what, limitMs]) => {
    const ms = figures.get(what);
    if (ms === undefined) return [`${what} was never measured`];
    const allowed = limitMs * stretch;
    return ms <= allowed ? [] : [`${what} took ${printSeconds(ms)}; at most ${printSeconds(allowed)} is allowed`];
  });
  return problems.length === 0 ? pass : { ...pass, problem: problems.join("\n") };
}
