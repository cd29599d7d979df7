import { printDuration } from "#libs/campaign";

/** What a gate's query speaks of. */
export interface QueryParts {
  readonly namespaces: readonly string[];
  readonly revisions: readonly string[];
  /** Ms. */
  readonly window: number;
}

/** Names that Kubernetes allows, and revisions as people write them. Anything else might close the string that it stands in. */
const plain = /^[\w.-]+$/u;

/**
 * One of these names and nothing else, for `=~`. A dot becomes `[.]`, because a backslash means something else in each of
 * PromQL's three kinds of strings. Undefined when no name is left that may be asked for.
 */
function matchNames(names: readonly string[]): string | undefined {
  const safe = names.filter((name) => plain.test(name)).map((name) => name.replaceAll(".", "[.]"));
  return safe.length === 0 ? undefined : [...new Set(safe)].toSorted().join("|");
}

/** Fills in `${namespaces}`, `${revision}` and `${window}`; undefined when the query asks for names and there are none. */
export function fillQuery(query: string, { namespaces, revisions, window }: QueryParts): string | undefined {
  const values = [
    ["${namespaces}", matchNames(namespaces)],
    ["${revision}", matchNames(revisions)],
    // PromQL knows no fractions of a second.
    ["${window}", printDuration(Math.max(1, Math.round(window / 1000)) * 1000)],
  ] as const;
  let filled = query;
  for (const [name, value] of values) {
    if (!filled.includes(name)) continue;
    if (value === undefined) return undefined;
    filled = filled.split(name).join(value);
  }
  return filled;
}
