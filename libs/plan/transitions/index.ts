export { archiveEnded } from "./archive-ended.ts";
export { findBelonging } from "./belonging.ts";
export { discoverNext, openCluster } from "./discover-runs.ts";
export {
  answerRequest,
  changeRun,
  endRollback,
  judgeMain,
  markResumed,
  addPresentFailures,
  placeStop,
  resumeStops,
  retryRun,
  startConverging,
  startRun,
} from "./transitions.ts";
export { isUnread, waitForArchive } from "./wait-for-archive.ts";
