import type { BareRepository } from "./bare-repository.ts";

/** The tree that a merge would have; undefined on a conflict. */
export type Mergeability = (base: string, head: string) => Promise<string | undefined>;

/** Asked on every look at a pull request, and a pair of commits merges the same for ever: one git process per pair. */
export function createMergeability(repository: BareRepository): Mergeability {
  const known = new Map<string, Promise<string | undefined>>();
  return async (base, head) => {
    const key = `${base} ${head}`;
    const answer = known.get(key) ?? repository.mergeTree(base, head);
    known.set(key, answer);
    return answer;
  };
}
