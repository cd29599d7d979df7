export type { BatchChoice } from "./batch-choice.ts";
export { take } from "./candidates.ts";
export { chooseBatch } from "./choose-batch.ts";
