export { countShares, nameRunningRevision, type RevisionCounts } from "./bucket-shares.ts";
export { ClusterIndex, type JudgedWorkloads } from "./cluster-index.ts";
export { countEnded, countRuns, countInClusters, type EndedCounts, type RunCounts } from "./count-run.ts";
export { countPods, isOfMesh } from "./census/pod-census.ts";
export { buildContext, type DecisionContext, evaluateFleet, type Evaluation, judgeCluster } from "./evaluate-fleet.ts";
export { type FailedWorkload, listFailed, listFailures } from "./failed-workloads.ts";
export type { IndexKey, RunClass } from "./index-keys.ts";
export {
  countClasses,
  countLeft,
  countLeftIn,
  hasBegun,
  leftClasses,
  pendingClasses,
  type RunInCluster,
  type RunView,
  viewRuns,
} from "./run-view.ts";
export { listPlaceless, listStalled } from "./stalled/list-stalled.ts";
export {
  findStuckSince,
  isOverdue,
  noteProgress,
  type Progress,
  type ProgressMemory,
  readElapsed,
  type ReconcileTimes,
} from "./stalled/progress.ts";
