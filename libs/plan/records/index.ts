export type { BakeStep, Forgotten, LedgerChange, PlanChange, RunChange, RunStep } from "./change/ledger-change.ts";
export type { Batch, BatchItem, Decision, Due, LedgerDecision } from "./decision.ts";
export { dropAbsent } from "./drop-absent.ts";
export { parseTime, printTime } from "./iso-time.ts";
export { nameDoubt } from "./ledger-doubt.ts";
export type {
  BadMeasurement,
  BakeRecord,
  BucketChange,
  CarriedOut,
  ConvergeRecord,
  GateRecord,
  GateTally,
  LedgerEntry,
  LedgerState,
  OpenedCluster,
  PlanRecord,
  RunRecord,
  StopRecord,
} from "./ledger-state.ts";
export {
  countOutcome,
  type ListDifference,
  type RunOutcome,
  type SkippedWorkload,
  type TakenPart,
} from "./outcome/run-outcome.ts";
export { listOpenRequests } from "./open-requests.ts";
export { printRecordedStop, readRecordedStop, type RecordedStop } from "./recorded-stop.ts";
export type {
  BakeWatch,
  BatchFacts,
  ClusterSnapshot,
  MainFacts,
  Sample,
  Snapshot,
  Spec,
  SpecPoint,
  StagePull,
  UnseenCluster,
  VerbRequest,
} from "./snapshot.ts";
export { findRollbackOf, listTakenBack } from "./rolled-back.ts";
export { nameCampaignFile, type UnreadCampaign } from "./unread-campaign.ts";
export { nameInFleet, nameWorkload, parseWorkloadName } from "./workload-key.ts";
