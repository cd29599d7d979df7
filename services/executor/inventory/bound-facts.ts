import type { ClusterStops } from "#libs/fleet";
import { cleanText } from "#libs/runtime";

/**
 * A value on the bus ends at 1 MiB, and a ConfigMap may be as large: at most this many entries are published, each cut at this
 * many characters.
 */
export const mostEntries = 100;
const longestEntry = 4096;

/** The stops as they are published, and how many entries were left out; these still hold in the cluster. */
export function boundStops(stops: ClusterStops): { readonly stops: ClusterStops; readonly left: number } {
  const entries = Object.entries(stops.recorded).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Planners refuse a value with the key `__proto__`, which a ConfigMap may have.
  const shown = entries
    .filter(([key]) => key !== "__proto__")
    .slice(0, mostEntries)
    .map(([key, text]) => [key, text.slice(0, longestEntry)] as const);
  return { stops: { ...stops, recorded: Object.fromEntries(shown) }, left: entries.length - shown.length };
}

/** A refused write may quote its whole object, up to a megabyte; planners refuse facts with such a text. */
const longestProblem = 1000;

export function cleanProblems(problems: readonly string[]): readonly string[] {
  return problems.map((problem) => cleanText(problem, longestProblem));
}
