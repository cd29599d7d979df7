import { printDuration } from "#libs/campaign";

/** The variables of a gate's query. */
export interface QueryParts {
  readonly namespaces: readonly string[];
  readonly revisions: readonly string[];
  /** Ms. */
  readonly window: number;
}

/** Names in the form of Kubernetes and revisions. Other characters could end the string in the query. */
const plain = /^[\w.-]+$/u;

/**
 * A regular expression for `=~` that matches exactly these names. A dot becomes `[.]`, because PromQL's kinds of strings treat
 * backslashes differently. Undefined without a valid name.
 */
function matchNames(names: readonly string[]): string | undefined {
  const safe = names.filter((name) => plain.test(name)).map((name) => name.replaceAll(".", "[.]"));
  return safe.length === 0 ? undefined : [...new Set(safe)].toSorted().join("|");
}

/** Fills in `${namespaces}`, `${revision}` and `${window}`; undefined when the query needs names and there are none. */
export function fillQuery(query: string, { namespaces, revisions, window }: QueryParts): string | undefined {
  const values = [
    ["${namespaces}", matchNames(namespaces)],
    ["${revision}", matchNames(revisions)],
    // PromQL has no fractions of a second.
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
