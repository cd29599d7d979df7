import { cleanLine, formatVersion } from "#libs/input";
import { z } from "zod";

import { ownVersion, instant, line, readJson, runId, word } from "../forms.ts";

/** A value of the bus ends at 1 MiB. */
const mostCharacters = 1 << 20;

/** So many workloads fit in one value with the longest names there are. Those beyond come in their usual order. */
const mostWorkloads = 2500;
const longestReason = 500;

const workloads = z.array(word(400)).max(mostWorkloads);
const batchId = word(100);
const brokenBatches = z.object({
  version: ownVersion,
  run: runId,
  times: z.int().min(0).max(1_000_000),
  reason: line(longestReason),
  workloads,
  until: instant,
  last: batchId.exactOptional(),
  carried: z.object({ id: batchId, workloads }).exactOptional(),
});

/** KV `status`, key `broken.<cluster>`: which batches of a cluster broke, so that the next planner tries them no sooner and no later. */
export interface BrokenBatchesKept {
  readonly run: string;
  /** Batches that broke since one ended well. */
  readonly times: number;
  /** Why the last one did. */
  readonly reason: string;
  /** Which workloads they carried and no later batch did, `namespace/Kind/name`. */
  readonly workloads: readonly string[];
  /** ISO time, by the planner's clock, before which none of them is tried again. */
  readonly until: string;
  /** Id of the batch that was counted last; absent = it had none. */
  readonly last?: string;
  /** The batch of this run that is in the queue, with those of `workloads` that it carries. */
  readonly carried?: { readonly id: string; readonly workloads: readonly string[] };
}

export function nameBrokenKey(cluster: string): string {
  return `broken.${cluster}`;
}

export function printBrokenBatches(value: BrokenBatchesKept): string {
  const kept = value.workloads.slice(0, mostWorkloads);
  const reason = cleanLine(value.reason, longestReason);
  return JSON.stringify({ version: formatVersion, ...value, reason, workloads: kept });
}

/** Undefined for anything that is not ours: then what broke is tried once more at once. */
export function readBrokenBatches(text: string): BrokenBatchesKept | undefined {
  const read = readJson(brokenBatches, text, mostCharacters);
  return read.ok ? read.value : undefined;
}
