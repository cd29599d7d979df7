import { mostWrites } from "./post-checks.ts";

/** Writes for the head of a stage's pull request other than its checks (rules 10.3). */
export interface WriteBudget {
  /** Call it before the write: the SCM may have made it though its answer was lost. */
  spend(headSha: string): void;
  /** Counts the writes of an earlier process, as far as they show; what this process has counted itself is kept. */
  adopt(headSha: string, writes: number): void;
  spent(headSha: string): number;
  /** Most writes for the checks, one being kept for the merge. Undefined for heads without other writes. */
  leftForChecks(headSha: string): number | undefined;
  /** Forgets heads without an open pull request. */
  retain(heads: ReadonlySet<string>): void;
}

/** The merge or the closing. */
const reservedForMerge = 1;

/** Counts only what this process knows; after a restart the callers count what they find. */
export function createWriteBudget(): WriteBudget {
  const spentByHead = new Map<string, number>();
  const spent = (headSha: string): number => spentByHead.get(headSha) ?? 0;
  return {
    spend: (headSha) => void spentByHead.set(headSha, spent(headSha) + 1),
    spent,
    adopt: (headSha, writes) => void spentByHead.set(headSha, spentByHead.get(headSha) ?? writes),
    leftForChecks: (headSha) => (spentByHead.has(headSha) ? mostWrites - reservedForMerge - spent(headSha) : undefined),
    retain(heads) {
      for (const sha of spentByHead.keys()) if (!heads.has(sha)) spentByHead.delete(sha);
    },
  };
}
