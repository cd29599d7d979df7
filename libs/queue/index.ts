export { openQueue } from "./producer/bullmq-queue.ts";
export { serveBatches, type WorkerOptions } from "./worker/bullmq-worker.ts";
export { judgeServer } from "./server/judge-server.ts";
export { QueueUnavailable } from "./errors.ts";
export { type FollowOptions, followQueueServer } from "./server/follow-server.ts";
export type { BatchQueue, BatchWorker, HeldBatch, OpenBatch, ServeBatches } from "./port.ts";
export { printQueueTrouble, type QueueTrouble } from "./troubles.ts";
export { probeQueue, type QueueProbe } from "./server/probe.ts";
