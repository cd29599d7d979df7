export { QueueUnavailable } from "./errors.ts";
export type { BatchQueue, BatchWorker, HeldBatch, OpenBatch, ServeBatches } from "./port.ts";
