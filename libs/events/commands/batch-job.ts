import type { Batch } from "#libs/plan";
import { formatVersion, readVersion, refuseFormat } from "#libs/input";
import { z } from "zod";

import { ownVersion } from "../forms.ts";

/** Characters of a reason: the parser's message may be as long as the job. */
const longestReason = 500;

/**
 * The job in a cluster's queue: which run may work there, and which of its workloads are due. It names no workloads: the
 * executor chooses them, so access to Redis alone cannot make it write. Another version is refused.
 */
const batchJob = z.strictObject({
  version: ownVersion,
  cluster: z.string(),
  clusterUid: z.string(),
  run: z.string(),
  due: z.enum(["rollback", "pending", "pendingLast"]),
});

export type BatchJob = z.infer<typeof batchJob>;

/** The job of a batch, without its workloads. */
export function makeBatchJob({ cluster, clusterUid, run, due }: Omit<Batch, "items" | "strategy">): BatchJob {
  return { version: formatVersion, cluster, clusterUid, run, due };
}

export type ReadJob = { readonly ok: true; readonly job: BatchJob } | { readonly ok: false; readonly why: string };

/** Reads a job of a cluster's queue; anything but a job of ours for that cluster is refused with the reason. */
export function readBatchJob(data: unknown, cluster: string): ReadJob {
  const refusal = refuseFormat(readVersion(data));
  if (refusal !== undefined) return { ok: false, why: refusal };
  const read = batchJob.safeParse(data);
  if (!read.success) return { ok: false, why: z.prettifyError(read.error).slice(0, longestReason) };
  if (read.data.cluster !== cluster) return { ok: false, why: `it was made for another cluster than ${cluster}` };
  return { ok: true, job: read.data };
}
