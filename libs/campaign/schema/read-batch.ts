import { annotate, locateChild, type Reader, refine } from "../fields/field.ts";
import { readFields } from "../fields/read-fields.ts";
import { readAmount, readChoice, readCount, readDuration } from "../fields/readers.ts";
import type { BatchSettings } from "../settings/settings.ts";

const readBatchFields = readFields<BatchSettings>({
  batchSize: annotate(readCount(1), "Workloads of a cluster that move at once.", 1),
  delayBetweenBatches: annotate(readDuration(0), "Pause after a batch has settled; `Window` has none.", "30s"),
  readinessTimeout: annotate(readDuration(1000), "Time without progress after which a workload has failed.", "5m"),
  maxUnavailable: annotate(
    readAmount(1),
    "Workloads of a cluster that may be unavailable at once: a count, or a percentage of its managed workloads.",
  ),
  failurePolicy: annotate(
    readChoice("FailFast", "ContinueOnError"),
    "FailFast stops a run at its first failure.",
    "FailFast",
  ),
  maxFailures: annotate(readAmount(0), "Failures that a run may have, over all clusters; the next one stops it."),
  maxAttempts: annotate(readCount(1), "Tries of one workload before it counts as failed.", 1),
});

/** `batch`, as far as it is written. */
export const readBatch: Reader<Partial<BatchSettings>> = refine(readBatchFields, (read, field) => {
  if (read.failurePolicy === "FailFast" && read.maxFailures !== undefined) {
    const message =
      "`failurePolicy: FailFast` stops at the first failure, `maxFailures` allows some: only one of them can hold";
    const span = locateChild(field, "maxFailures");
    field.report({ code: "MR3007", span, message, help: "remove one of the two lines" });
  }
  return read;
});

/** Without effect for a rollback: its failures neither stop it nor are undone (rules 2.3). */
const ineffective = ["maxUnavailable", "failurePolicy", "maxFailures"] as const;

/** `rollback.batch`, as far as it is written. */
export const readRollbackBatch: Reader<Partial<BatchSettings>> = refine(readBatch, (read, field) => {
  for (const name of ineffective) {
    if (read[name] === undefined) continue;
    const message = `\`${name}\` has no effect in a rollback, which no failure stops and no limit but batchSize slows`;
    const span = locateChild(field, name);
    field.report({ code: "MR3011", severity: "warning", span, message, help: `remove \`${name}\`` });
  }
  return read;
});
