import { mostWrites } from "./post-checks.ts";

/** What a stage's head may still cost, next to its checks (rules 10.3). */
export interface WriteBudget {
  /** Counted before it is sent: a write whose answer is lost was one. */
  spend(headSha: string): void;
  /** A head for which an earlier process wrote so much as far as it shows; what this one counted goes on. */
  adopt(headSha: string, writes: number): void;
  spent(headSha: string): number;
  /** Writes that its checks may take in all; one is kept for its end. Undefined for heads that cost nothing else. */
  leftForChecks(headSha: string): number | undefined;
  /** Forgets heads that no open pull request has any more. */
  keep(heads: ReadonlySet<string>): void;
}

/** To be merged. */
const forItsEnd = 1;

/** As far as this process knows: one that restarts finds what is there, and does not write it again. */
export function createWriteBudget(): WriteBudget {
  const others = new Map<string, number>();
  const spent = (headSha: string): number => others.get(headSha) ?? 0;
  return {
    spend: (headSha) => void others.set(headSha, spent(headSha) + 1),
    spent,
    adopt: (headSha, writes) => void others.set(headSha, others.get(headSha) ?? writes),
    leftForChecks: (headSha) => (others.has(headSha) ? mostWrites - forItsEnd - spent(headSha) : undefined),
    keep(heads) {
      for (const sha of others.keys()) if (!heads.has(sha)) others.delete(sha);
    },
  };
}
