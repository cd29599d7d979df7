import type { RollbackStatus } from "#libs/plan";

/** Which way it goes, how far it is, and how far it goes. */
export function printRollbackState({ run, done, total }: RollbackStatus): string {
  return `ROLLING BACK run ${run}: ${done} of ${total} workloads run what main had before, ${total - done} to go`;
}
