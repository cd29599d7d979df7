import type { Judged } from "./run-stryker.ts";

/** What the tests of a lib noticed. */
export interface Score {
  readonly killed: number;
  readonly survived: readonly Judged[];
  /** Mutants with which the tests could not even run: they say nothing. */
  readonly void: number;
  /** 0 to 100. */
  readonly percent: number;
}

/** Counts: one that makes tests hang is noticed like one that makes them fail; one that no test reaches survived. */
export function scoreMutants(judged: readonly Judged[]): Score {
  const killed = judged.filter(({ status }) => status === "Killed" || status === "Timeout").length;
  const survived = judged.filter(({ status }) => status === "Survived" || status === "NoCoverage");
  const counted = killed + survived.length;
  return {
    killed,
    survived,
    void: judged.length - counted,
    percent: counted === 0 ? 0 : (100 * killed) / counted,
  };
}
