import type { Batch } from "#libs/plan";
import { z } from "zod";

const item = z.object({
  namespace: z.string(),
  kind: z.enum(["Deployment", "StatefulSet", "DaemonSet"]),
  name: z.string(),
  uid: z.string(),
  target: z.string(),
  attempt: z.number().int().min(1),
  unhealthyBefore: z.boolean(),
});

/** The job in a cluster's queue. Another version is another deployment's: refused, never guessed (reliability R9). */
const batchJob = z.object({
  version: z.literal(1),
  cluster: z.string(),
  clusterUid: z.string(),
  run: z.string(),
  commit: z.string(),
  strategy: z.enum(["Batched", "Window"]),
  items: z.array(item).min(1),
});

export type BatchJob = z.infer<typeof batchJob>;

/** A batch as it travels. */
export function makeBatchJob(batch: Batch): BatchJob {
  return { version: 1, ...batch, items: batch.items.map((each) => ({ ...each })) };
}

export type ReadJob = { readonly ok: true; readonly job: BatchJob } | { readonly ok: false; readonly why: string };

/** Reads what came out of the queue; anything but our own shape is refused with the reason. */
export function readBatchJob(data: unknown): ReadJob {
  const read = batchJob.safeParse(data);
  return read.success ? { ok: true, job: read.data } : { ok: false, why: z.prettifyError(read.error) };
}
