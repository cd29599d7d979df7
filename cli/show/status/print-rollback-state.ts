import type { RollbackStatus } from "#libs/plan";
import { printAbout } from "#libs/wording";

/** The direction of a rollback, its progress, its extent, and the time it takes. */
export function printRollbackState({ run, done, total, aboutSeconds }: RollbackStatus): string {
  const about = aboutSeconds === undefined ? "" : `, about ${printAbout(aboutSeconds * 1000)}`;
  return `ROLLING BACK run ${run}: ${total - done} to go${about}; ${done} of ${total} workloads run what main had before`;
}
