export type { BatchChoice } from "./batch-choice.ts";
export { describeSubject } from "./batch-choice.ts";
export { findUnconfirmed, isItemRolledBackNow, isConfirmed } from "./permit/confirmed.ts";
export type { ExecutorSnapshot } from "./permit/facts.ts";
export { take } from "./candidates.ts";
export { chooseBatch } from "./choose-batch.ts";
