export type { Amount } from "./availability.ts";
export { makeBaseline } from "./baseline.ts";
export { compileSpec, type CompiledSpec, rolloutsPath, settingsPath } from "./compile-spec.ts";
export { decide } from "./decide.ts";
export {
  type Batch,
  type BatchItem,
  type Decision,
  isLedgerDecision,
  type LedgerDecision,
  type Reason,
} from "./decision.ts";
export { judgeCluster, type Survey, surveyFleet } from "./judge-fleet.ts";
export type {
  Baseline,
  LedgerEntry,
  LedgerState,
  OpenedCluster,
  RunOutcome,
  RunRecord,
  StopRecord,
  StopScope,
} from "./ledger-state.ts";
export { createOwnership, type Ownership } from "./ownership.ts";
export { type ExecutorWorld, type JobFacts, type Permit, permitJob, permitPatch } from "./permit.ts";
export { type Care, planCare, type ProgressMemory } from "./plan-care.ts";
export { planPatch, type Write } from "./plan-patch.ts";
export { type ClusterCounts, type Move, type MovedWorkload, type Proposal, proposeMoves } from "./proposal.ts";
export type { RunInCluster, RunView } from "./run-view.ts";
export type { Standing, WorkloadStanding } from "./standing.ts";
export {
  type BucketStatus,
  type ClusterStatus,
  describeFleet,
  type FleetStatus,
  type RunStatus,
  type ShareStatus,
} from "./status.ts";
export { type ActiveStop, collectMoveStops, isStopScope } from "./stops.ts";
export { nameInFleet, nameWorkload } from "./workload-key.ts";
export type { Ask, BatchFacts, ClusterWorld, CommitFacts, MainFacts, Spec, SpecPoint, World } from "./world.ts";
