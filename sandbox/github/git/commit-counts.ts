import type { BareRepository } from "./bare-repository.ts";

/** How many commits a head adds to a base. */
export type CommitCounts = (base: string, head: string) => Promise<number>;

/** Two commits differ the same for ever, so each pair is read once. */
export function createCommitCounts(repository: BareRepository): CommitCounts {
  const known = new Map<string, Promise<number>>();
  return async (base, head) => {
    const key = `${base} ${head}`;
    const answer = known.get(key) ?? repository.git(["rev-list", "--count", head, `^${base}`]).then(Number);
    known.set(key, answer);
    return answer;
  };
}
