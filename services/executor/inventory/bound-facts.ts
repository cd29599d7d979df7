import type { ClusterStops } from "#libs/fleet";
import { cleanText } from "#libs/runtime";

/** A value of the bus ends at 1 MiB, and a ConfigMap may have as much: so many entries are shown, each so long. */
export const mostEntries = 100;
const longestEntry = 4096;

/** The cluster's stops as they are shown; what is left out still holds there, and is counted. */
export function boundStops(stops: ClusterStops): { readonly stops: ClusterStops; readonly left: number } {
  const entries = Object.entries(stops.recorded).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // A ConfigMap may have the key `__proto__`, and no planner reads a value with it.
  const shown = entries
    .filter(([key]) => key !== "__proto__")
    .slice(0, mostEntries)
    .map(([key, text]) => [key, text.slice(0, longestEntry)] as const);
  return { stops: { ...stops, recorded: Object.fromEntries(shown) }, left: entries.length - shown.length };
}

/** A refused write repeats what its object says, which may be a megabyte: a planner reads no facts with such a text. */
const longestProblem = 1000;

export function cleanProblems(problems: readonly string[]): readonly string[] {
  return problems.map((problem) => cleanText(problem, longestProblem));
}
