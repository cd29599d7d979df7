import type { RollbackStatus } from "#libs/plan";
import { nameRuns, printAbout } from "#libs/wording";

/** What is rolled back and by which run, its progress, and the time it takes. */
export function printRollbackState({ run, of, done, total, aboutSeconds }: RollbackStatus): string {
  const about = aboutSeconds === undefined ? "" : `, about ${printAbout(aboutSeconds * 1000)}`;
  const by = of.length === 0 || of.includes(run) ? "" : ` (by run ${run})`;
  const back = nameRuns(of.length === 0 ? [run] : of);
  return `ROLLING BACK ${back}${by}: ${total - done} to go${about}; ${done} of ${total} workloads run what main had before`;
}
