export { countHealthy, findBakePause, isBaked, planBakeStep } from "./bake.ts";
export { findCalendarStop, findClosed } from "./calendar-stop.ts";
export { findOtherUid, isOtherCluster } from "./cluster-identity.ts";
export {
  findClusterObstacle,
  findRevisionObstacle,
  findRollbackObstacle,
  findUnserved,
  type Unserved,
} from "./cluster-readiness.ts";
export { recordClusterStops } from "./record-cluster-stops.ts";
export { rollBackAutomatically } from "./automatic-rollback.ts";
export {
  collectForgiven,
  stopOnFailures,
  stopOnForcedPush,
  dropJobs,
  stopOnOtherCluster,
  stopOnFailedJob,
  dropFailedJobs,
} from "./automatic-stops.ts";
export { findVersionObstacle } from "./max-version.ts";
export { findFleetObstacle, findLedgerObstacle, gitLimitMs } from "./obstacles.ts";
export { findLackingEvidence, findNoEvidence } from "./find-no-evidence.ts";
export { hasWorkIn, planWave, type WaveStep } from "./waves.ts";
