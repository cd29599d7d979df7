import type { BareRepository } from "./bare-repository.ts";

/** The tree of a merge; undefined on a conflict. */
export type Mergeability = (base: string, head: string) => Promise<string | undefined>;

/**
 * Computed once per pair of commits: it is needed at every read of a pull request, is a git process each time, and never
 * changes.
 */
export function createMergeability(repository: BareRepository): Mergeability {
  const known = new Map<string, Promise<string | undefined>>();
  return async (base, head) => {
    const key = `${base} ${head}`;
    const answer = known.get(key) ?? repository.mergeTree(base, head);
    known.set(key, answer);
    return answer;
  };
}
