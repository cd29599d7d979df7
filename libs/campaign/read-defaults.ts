import type { Problem } from "#libs/spec";
import { isMap } from "yaml";

import { type Field, locateChild, readFields, type Reader } from "./field.ts";
import { readAmount, readChoice, readCount, readDuration, refuseLater } from "./readers.ts";
import { type ApprovalRule, type BatchSettings, builtInSettings, type Settings } from "./settings.ts";

interface RollbackFields {
  readonly batch: Partial<BatchSettings>;
}

/** The `defaults` of the file, as far as it says them. */
export interface DefaultsFields {
  readonly strategy: Settings["strategy"];
  readonly batch: Partial<BatchSettings>;
  readonly onWorkloadFailure: Settings["onWorkloadFailure"];
  readonly rollback: Partial<RollbackFields>;
  readonly approvals: ApprovalRule;
}

/** More human approvals than any team gives is a slip, and would hold every change for ever. */
const mostApprovals = 10;

const readStrategy: Reader<Settings["strategy"]> = (field) => {
  const read = readChoice("Batched", "Window", "OnDeploy")(field);
  return read === "OnDeploy" ? refuseLater(field, read, "use Batched or Window") : read;
};

const readBatch: Reader<Partial<BatchSettings>> = (field) => {
  const read = readFields<BatchSettings>(field, {
    batchSize: readCount(1),
    delayBetweenBatches: readDuration(0),
    readinessTimeout: readDuration(1000),
    maxUnavailable: readAmount(1),
    failurePolicy: readChoice("FailFast", "ContinueOnError"),
    maxFailures: readAmount(0),
    maxAttempts: readCount(1),
  });
  if (read?.failurePolicy === "FailFast" && read.maxFailures !== undefined) {
    const message =
      "`failurePolicy: FailFast` stops at the first failure, `maxFailures` allows some: only one of them can hold";
    field.report({
      code: "MR3007",
      span: locateChild(field, "maxFailures"),
      message,
      help: "remove one of the two lines",
    });
  }
  return read;
};

/** A return heeds none of these: its failures neither stop it nor are reverted (rules 2.3). */
const ineffective = ["maxUnavailable", "failurePolicy", "maxFailures"] as const;

const readRollbackBatch: Reader<Partial<BatchSettings>> = (field) => {
  const read = readBatch(field);
  for (const name of ineffective) {
    if (read?.[name] === undefined) continue;
    const message = `\`${name}\` has no effect in a return, which no failure stops and no limit but batchSize slows`;
    const problem: Problem = { code: "MR3011", severity: "warning", span: locateChild(field, name), message };
    field.report({ ...problem, help: `remove \`${name}\`` });
  }
  return read;
};

/** `2`, or as campaigns write it `{ required: 2 }`. */
const readApprovals: Reader<ApprovalRule> = (field) => {
  const readNumber = readCount(0, mostApprovals);
  const complete = (required: number | undefined): ApprovalRule | undefined =>
    required === undefined ? undefined : { ...builtInSettings.approvals, required };
  if (!isMap(field.node)) return complete(readNumber(field));
  const readLater: Reader<never> = (child) => refuseLater(child, "…", "use `required` alone");
  const readers = { required: readNumber, from: readLater, allowAuthor: readLater };
  return complete(
    readFields<{ readonly required: number; readonly from: never; readonly allowAuthor: never }>(field, readers)
      ?.required,
  );
};

/** Everything below `defaults`. */
export const readDefaults: Reader<Partial<DefaultsFields>> = (field: Field) => {
  const read = readFields<DefaultsFields>(field, {
    strategy: readStrategy,
    batch: readBatch,
    onWorkloadFailure: readChoice("revert", "leave"),
    rollback: (child) => readFields<RollbackFields>(child, { batch: readRollbackBatch }),
    approvals: readApprovals,
  });
  if (read?.strategy === "Window" && read.batch?.delayBetweenBatches !== undefined) {
    const message = "`delayBetweenBatches` has no effect with `strategy: Window`, which leaves no gap between batches";
    const span = locateChild(field, "strategy");
    field.report({ code: "MR3008", severity: "warning", span, message, help: "remove `delayBetweenBatches`" });
  }
  return read;
};

/** `maxFailures` alone is a budget: FailFast, the built-in policy, would contradict it. */
function completeBatch(read: Partial<BatchSettings>): BatchSettings {
  const policy = read.maxFailures === undefined ? builtInSettings.batch.failurePolicy : "ContinueOnError";
  return { ...builtInSettings.batch, failurePolicy: policy, ...read };
}

/** A return's batch: its own fields over the file's; what stops a run has no meaning in it and is the run's. */
function completeRollback(batch: BatchSettings, read: Partial<BatchSettings>): BatchSettings {
  const { maxUnavailable: _, failurePolicy: __, maxFailures: ___, ...effective } = read;
  return { ...batch, ...effective };
}

/** What the file says, and the built-in values for the rest. */
export function completeDefaults(read: Partial<DefaultsFields>): Omit<Settings, "seed" | "selector" | "asideClusters"> {
  const { strategy, onWorkloadFailure, approvals } = builtInSettings;
  const batch = completeBatch(read.batch ?? {});
  return {
    ...builtInSettings,
    strategy: read.strategy ?? strategy,
    onWorkloadFailure: read.onWorkloadFailure ?? onWorkloadFailure,
    approvals: read.approvals ?? approvals,
    batch,
    rollbackBatch: completeRollback(batch, read.rollback?.batch ?? {}),
  };
}
