import type { Evidence, NotJudged, Violation } from "../evidence/evidence.ts";

/** What a rule found: every breach, how many things it looked at, and what it could not decide. */
export interface Findings {
  readonly violations: readonly Violation[];
  readonly judged: number;
  readonly notJudged: readonly NotJudged[];
}

export type Rule = (evidence: Evidence) => Findings;

/** Collects what a rule finds. */
export interface Finder {
  /** Counts one more thing that was looked at. */
  judge(): void;
  refuse(cluster: string, path: string, what: string): void;
  /** Counts one more thing that this evidence cannot decide. It is shown next to the signature. */
  cannotJudge(why: string): void;
}

/** Makes a rule from a function that looks through the evidence. */
export function makeRule(name: string, findBreaches: (evidence: Evidence, found: Finder) => void): Rule {
  return (evidence) => {
    const violations: Violation[] = [];
    const left = new Map<string, number>();
    let judged = 0;
    findBreaches(evidence, {
      judge: () => void (judged += 1),
      refuse: (cluster, path, what) => void violations.push({ rule: name, cluster, path, what }),
      cannotJudge: (why) => void left.set(why, (left.get(why) ?? 0) + 1),
    });
    const notJudged = [...left].map(([why, count]) => ({ rule: name, why, count }));
    return { violations, judged, notJudged };
  };
}
