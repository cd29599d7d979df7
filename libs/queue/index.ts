export { openQueue } from "./bullmq-queue.ts";
export { serveBatches, type WorkerOptions } from "./bullmq-worker.ts";
export { judgeServer } from "./judge-server.ts";
export { QueueUnavailable } from "./errors.ts";
export { type FollowOptions, followQueueServer } from "./follow-server.ts";
export type { BatchQueue, BatchWorker, HeldBatch, OpenBatch, ServeBatches } from "./port.ts";
export { printQueueTrouble, type QueueTrouble } from "./troubles.ts";
export { probeQueue, type QueueProbe } from "./probe.ts";
