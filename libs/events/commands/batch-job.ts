import type { Batch } from "#libs/plan";
import { formatVersion, readVersion, refuseFormat } from "#libs/input";
import { z } from "zod";

import { ownVersion } from "../forms.ts";

const item = z.object({
  namespace: z.string(),
  kind: z.enum(["Deployment", "StatefulSet", "DaemonSet"]),
  name: z.string(),
  uid: z.string(),
  target: z.string(),
});

/** The planner hands out no more at once; a longer list would only keep an executor busy. */
const mostInJob = 1000;

/** Characters of a reason: what is wrong with a job may be long as the job. */
const longestReason = 500;

/**
 * The job in a cluster's queue: whom to look at next, and nothing about how to move them. The number of the try, whether
 * one was unhealthy before, delays and strategy follow from state, where access to Redis alone does not allow to write
 * them. Another version is refused, never guessed (reliability R9).
 */
const batchJob = z.object({
  version: ownVersion,
  cluster: z.string(),
  clusterUid: z.string(),
  run: z.string(),
  commit: z.string(),
  items: z.array(item).min(1).max(mostInJob),
});

export type BatchJob = z.infer<typeof batchJob>;

/** A batch as it travels. */
export function makeBatchJob(batch: Batch): BatchJob {
  const { cluster, clusterUid, run, commit, items } = batch;
  const named = items.map(({ namespace, kind, name, uid, target }) => ({ namespace, kind, name, uid, target }));
  return { version: formatVersion, cluster, clusterUid, run, commit, items: named };
}

export type ReadJob = { readonly ok: true; readonly job: BatchJob } | { readonly ok: false; readonly why: string };

/** Reads what came out of a cluster's queue; anything but a job of ours for that cluster is refused with the reason. */
export function readBatchJob(data: unknown, cluster: string): ReadJob {
  const refusal = refuseFormat(readVersion(data));
  if (refusal !== undefined) return { ok: false, why: refusal };
  const read = batchJob.safeParse(data);
  if (!read.success) return { ok: false, why: z.prettifyError(read.error).slice(0, longestReason) };
  if (read.data.cluster !== cluster) return { ok: false, why: `it was made for another cluster than ${cluster}` };
  return { ok: true, job: read.data };
}
