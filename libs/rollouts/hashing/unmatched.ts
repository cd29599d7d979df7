import { comparePatterns, compilePatterns } from "../patterns/pattern-index.ts";
import { DEFAULT_BUCKET } from "../file/check-buckets.ts";
import { quoteText } from "../source/source.ts";
import type { Finding, Rollouts } from "../source/types.ts";

/** Findings that are listed: a file may have thousands of buckets, and a new fleet few namespaces. */
const MAX_LISTED = 50;

/** MR1022 in the words of both kinds of file; `what` names the entry. */
export function reportUnmatched(
  what: string,
  pattern: string,
  place: Pick<Finding, "file" | "line" | "column" | "length">,
): Finding {
  const message = `${what} ${quoteText(pattern)} matches no namespace of the fleet`;
  const help =
    "a regular expression for whole names: `payments-.*`; leave it if such a namespace will be created later";
  return { code: "MR1022", severity: "warning", ...place, message, help };
}

/** MR1022 for each bucket that no namespace of the fleet matches; `namespaces` must be all of them. */
export function findUnmatched(
  rollouts: Rollouts,
  namespaces: Iterable<string>,
  file = "rollouts.yml",
): readonly Finding[] {
  const buckets = rollouts.buckets
    .filter(({ pattern }) => pattern !== DEFAULT_BUCKET)
    .toSorted((a, b) => comparePatterns(a.pattern, b.pattern));
  const index = compilePatterns(buckets.map(({ pattern }) => pattern));
  const left = new Set(buckets.keys());
  for (const namespace of namespaces) {
    if (left.size === 0) return [];
    for (const rank of index.findAll(namespace)) left.delete(rank);
  }
  return buckets
    .filter((_, rank) => left.has(rank))
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .slice(0, MAX_LISTED)
    .map(({ pattern, line, column }) =>
      reportUnmatched("bucket", pattern, { file, line, column, length: pattern.length }),
    );
}
