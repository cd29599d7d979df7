export { countAllowed, countTolerated, countUnavailable, isUnavailable } from "./availability.ts";
export { type ClusterContext, createOwnership, type Ownership } from "./ownership.ts";
export { findLeftOut } from "./judge-campaign.ts";
export { judgeOne, shareCase } from "./judge-namespace.ts";
export type { NamespaceCase } from "./judge-workload.ts";
export { chooseReadinessTimeout, listLowestBatch, readMigrationBatch } from "./sail-annotations.ts";
export { alternate } from "./turn.ts";
export { always, intersect, isValid, limitValidity, type Validity } from "./waiting/validity.ts";
export { type Blocker, blockers, type JudgedWorkload, type WorkloadState } from "./workload-state.ts";
