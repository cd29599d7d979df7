export { countHealthy, findBakePause, isBaked, planBakeStep } from "./bake.ts";
export { findCalendarStop, findClosed } from "./calendar-stop.ts";
export { findOtherUid, isOtherCluster } from "./cluster-identity.ts";
export { findClusterObstacle, findRevisionObstacle } from "./cluster-readiness.ts";
export { guardRecordedStops } from "./guard-recorded-stops.ts";
export { guardRollbacks } from "./guard-rollback.ts";
export {
  collectForgiven,
  guardFailures,
  guardForcedPush,
  guardForeignJobs,
  guardIdentity,
  guardJobs,
  guardRolledBackJobs,
} from "./guards.ts";
export { findVersionObstacle } from "./max-version.ts";
export { findFleetObstacle, findLedgerObstacle } from "./obstacles.ts";
export { findUnprovenBake, findUnprovenEnd, listUnproven } from "./proof/find-unproven.ts";
export { planWave, type WaveStep } from "./waves.ts";
