export { type ActiveStop, nameStop } from "./active-stop.ts";
export { isUnderRollback } from "./placed-stops.ts";
export { listNewlyUnread, listUnreadStops, nameUnread } from "./list-unread-stops.ts";
export { readClusterEntries } from "./recorded/cluster-entries.ts";
export {
  findRevertedRun,
  findRevertOver,
  holdsByRollback,
  isRollbackNow,
  isSaidByMain,
  isUnderRevert,
  listContinued,
  listReverts,
  listServedRuns,
  refuseTarget,
  type Revert,
} from "./reverts.ts";
export { describeStops, type StopStatus } from "./status-stops.ts";
export {
  collectFleetStops,
  collectStops,
  coversSubject,
  findRun,
  holdsWholeRun,
  isEntryKnown,
  findRunGuardStop,
  isRunGuardStop,
  listRecordedStops,
  numberNextStop,
  type Subject,
} from "./stops.ts";
