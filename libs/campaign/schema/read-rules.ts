import { isMap } from "yaml";

import { annotate, defineReader, type Field, locateChild, type Reader, refine } from "../fields/field.ts";
import { readApprovals } from "./read-approvals.ts";
import { readBatch, readRollbackBatch } from "./read-batch.ts";
import { readFreezes, readWindows } from "./read-calendar.ts";
import { type FieldReaders, readFields } from "../fields/read-fields.ts";
import { readGates } from "./read-gate.ts";
import { readWords } from "../fields/read-list.ts";
import { readNotify } from "./read-notify.ts";
import { readChoice, readCount, readDuration, readFlag } from "../fields/readers.ts";
import { readDriftPolicy } from "../fields/read-clusters.ts";
import type {
  ApprovalRule,
  BatchSettings,
  DriftPolicy,
  NotifyFields,
  RollbackPolicy,
  Settings,
} from "../settings/settings.ts";

/** Settings of how runs go, of one level. */
export interface PaceFields {
  readonly bake: number;
  readonly minWorkloads: number;
  readonly strategy: Settings["strategy"];
  readonly deadline: number;
  readonly batch: Partial<BatchSettings>;
  readonly onWorkloadFailure: Settings["onWorkloadFailure"];
  readonly gates: Settings["gates"];
  readonly approvals: Partial<ApprovalRule>;
  /** `false` overrides a level further out. */
  readonly autoMerge: { readonly notice: number } | false;
}

/** Settings of when runs go, what is rolled back automatically, and who is notified, of one level. */
export interface FrameFields {
  readonly windows: Settings["windows"];
  readonly freezes: Settings["freezes"];
  readonly rollback: Partial<RollbackPolicy>;
  readonly notify: NotifyFields;
}

const readNotice = readFields<{ readonly notice: number }>({
  notice: annotate(readDuration(0), "How long its head stays open at least, so that a person can object.", "0s"),
});

const readAutoMerge: Reader<PaceFields["autoMerge"]> = defineReader(
  { anyOf: [readFlag.schema, readNotice.schema] },
  (field) => {
    if (isMap(field.node)) {
      const read = readNotice(field);
      return read === undefined ? undefined : { notice: read.notice ?? 0 };
    }
    const flag = readFlag(field);
    return flag === true ? { notice: 0 } : flag;
  },
);

/** The accepted fields of `defaults`. */
export const paceReaders: FieldReaders<PaceFields> = {
  bake: annotate(readDuration(0), "Healthy time of a run before it is done.", "0s"),
  minWorkloads: annotate(
    readCount(0),
    "Workloads of a run that must have migrated before its bake and gates prove anything; one at 0 replicas is none.",
    1,
  ),
  strategy: annotate(
    readChoice("Batched", "Window", "OnDeploy"),
    "Batched: a batch, until it has settled, then the next. Window: always batchSize workloads on the move. " +
      "OnDeploy: owners' deploys, and after deadline batches.",
    "Batched",
  ),
  deadline: annotate(
    readDuration(0),
    "Strategy OnDeploy: so long after a cluster's wave began, what is left there is restarted in batches.",
    "28d",
  ),
  batch: annotate(readBatch, "How one batch is made and judged; names and values of the Sail operator's proposal."),
  onWorkloadFailure: annotate(
    readChoice("revert", "leave"),
    "A workload that failed is put back to its previous revision, or stays as it is; it is marked either way.",
    "revert",
  ),
  gates: annotate(readGates, "Measured conditions, in addition to those of spec.defaults and meshroll.yml."),
  approvals: annotate(
    readApprovals,
    "Who has to agree before a stage is merged; a rollback that meshroll opens needs no approval.",
  ),
  autoMerge: annotate(
    readAutoMerge,
    "A stage's pull request merges itself once its checks are green, and needs no approval.",
    false,
  ),
};

const readRollback = readFields<RollbackPolicy>({
  on: annotate(
    readWords(readChoice("gateFailed", "maxFailures"), { most: 2, example: "[gateFailed]" }),
    "What makes a run roll back by itself; empty = only a person rolls back.",
    [],
  ),
  scope: annotate(
    readChoice("stage", "campaign"),
    "stage: what the run moved. campaign: the same buckets, to before its first run.",
    "stage",
  ),
  mode: annotate(readChoice("pr", "now"), "pr: by a pull request of ours. now: at once, that follows.", "pr"),
  batch: annotate(readRollbackBatch, "How a rollback moves; each field takes the place of the one in `batch`."),
});

/** The accepted fields next to `defaults`. */
export const frameReaders: FieldReaders<FrameFields> = {
  windows: annotate(readWindows, "When forward runs may move; all time, when nothing is written."),
  freezes: annotate(readFreezes, "Times in which nothing moves forward."),
  rollback: annotate(readRollback, "What rolls back by itself, how far and how."),
  notify: annotate(readNotify, "Who is told, beyond what the services are configured to tell."),
};

/** MR3008, at any level: a field that the strategy next to it does not use. */
export function warnOfUnused({ strategy, deadline, batch }: Partial<PaceFields>, field: Field): void {
  const warn = (name: "delayBetweenBatches" | "deadline", why: string): void => {
    const message = `\`${name}\` has no effect with \`strategy: ${strategy}\`, ${why}`;
    const span = locateChild(field, "strategy");
    field.report({ code: "MR3008", severity: "warning", span, message, help: `remove \`${name}\`` });
  };
  if (strategy === "Window" && batch?.delayBetweenBatches !== undefined)
    warn("delayBetweenBatches", "which leaves no gap between batches");
  if (strategy !== undefined && strategy !== "OnDeploy" && deadline !== undefined)
    warn("deadline", "which waits for no deploys");
}

/** Fields of the whole fleet's file only. */
interface FileFields {
  readonly drift: DriftPolicy;
}

/** `defaults` of `meshroll.yml`: all of them. */
export const readFileDefaults: Reader<Partial<PaceFields & FrameFields & FileFields>> = refine(
  readFields<PaceFields & FrameFields & FileFields>({ ...paceReaders, ...frameReaders, drift: readDriftPolicy }),
  (read, field) => {
    warnOfUnused(read, field);
    return read;
  },
);

/** `spec.defaults` of a campaign. */
export const readCampaignDefaults: Reader<Partial<PaceFields>> = refine(
  readFields<PaceFields>(paceReaders),
  (read, field) => {
    warnOfUnused(read, field);
    return read;
  },
);
