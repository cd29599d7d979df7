import type { Text } from "#libs/wording";

import type { EndedCounts } from "../../index/index.ts";
import type { BucketChange, GateRecord, ListDifference, RunRecord, SkippedWorkload } from "../../records/index.ts";
import type { GateStatus } from "../campaign-status.ts";
import type { RunStatus } from "../status-runs.ts";

/** Workloads whose outcome differs from the list of the pull request for the same reason. */
export interface DifferenceGroup {
  readonly why: ListDifference["why"];
  readonly count: number;
  /** The first twenty. */
  readonly items: readonly Pick<ListDifference, "cluster" | "workload" | "reason">[];
}

/** A gate's last recorded verdict. */
export interface RecordedGate extends Omit<GateRecord, "query"> {
  readonly name: string;
}

/** What the ledger has of a run. */
export interface RecordReport
  extends
    Pick<RunRecord, "id" | "commit" | "subject" | "author" | "startedAt" | "state">,
    Partial<Pick<RunRecord, "campaign" | "stage" | "endedAt">> {
  /** Distributions as in `rollouts.yml`, `1-24-5: 80, 1-25-2: 20`; "" = not in the file. */
  readonly changes: readonly BucketChange[];
  /** Of a converging run: its reason. */
  readonly reason?: string;
  /** Only figures of it were read: gates, skipped workloads and differences are in the ledger's archive. */
  readonly archived?: true;
  /** Of an ended run; absent where the record has no figures. */
  readonly counts?: EndedCounts;
  /** The later run that took over all its workloads. */
  readonly takenOverBy?: string;
  /** The run that rolled it back, which may still move. */
  readonly rolledBackBy?: string;
  /** The runs that it rolls back, oldest first; absent = it is no rollback. */
  readonly rollsBack?: readonly string[];
  /** How many workloads the list of its pull request names; absent without one. */
  readonly listed?: number;
  /** Of an ended run with a list; the most frequent reason first. */
  readonly differences?: readonly DifferenceGroup[];
  /** Of an ended run: the first hundred that it gave up, failures first. */
  readonly skipped?: readonly SkippedWorkload[];
  readonly gates: readonly RecordedGate[];
}

/** Workloads by class at one instant; `t` is epoch ms by the fleet's clock. A point holds until the next one. */
export interface ProgressPoint extends Pick<RunStatus, "migrated" | "idle" | "migrating" | "pending" | "waiting"> {
  readonly t: number;
  readonly skipped: number;
}

/** Points over time, oldest first. A point is there where something changed. */
export interface Line<Point> {
  /** The least ms between two points; grows when the line is thinned. */
  readonly every: number;
  readonly points: readonly Point[];
}

export type GatePoint = readonly [t: number, value: number];

/** The measured values of one gate. */
export interface GateLine extends Line<GatePoint>, Pick<GateStatus, "name" | "when"> {
  /** The newest one. */
  readonly limit?: number;
}

/** One batch in one cluster, from the first to the last sample that saw it. */
export interface BatchBar {
  readonly cluster: string;
  /** From 1; absent for a run without a campaign. */
  readonly batch?: number;
  readonly of?: number;
  /** Epoch ms by the fleet's clock. */
  readonly from: number;
  /** When it was seen last, or, once it is over, the first sample without it. */
  readonly until: number;
  readonly open?: true;
}

/** The course of a run, as planners saw it. */
export interface RunSeries {
  /** The time of the newest sample, epoch ms by the fleet's clock; absent before the first. */
  readonly until?: number;
  readonly progress: Line<ProgressPoint>;
  readonly gates: readonly GateLine[];
  /** Oldest first. */
  readonly batches: readonly BatchBar[];
  /** How many older bars were cut; absent = none. */
  readonly cutBatches?: number;
}

/** One run: what the ledger records, its present state while it is open, and its course over time. */
export interface RunReport {
  readonly apiVersion: "meshroll.dev/v1";
  readonly kind: "RunReport";
  /** ISO, by the fleet's clock. */
  readonly at: string;
  readonly record: RecordReport;
  /** While it is open and served. */
  readonly now?: RunStatus;
  /** Present gates of its stage, while it is its campaign's newest open run. */
  readonly gates?: readonly ReportedGate[];
  readonly series: RunSeries;
}

/** A gate at present. */
export type ReportedGate = Omit<GateStatus, "query" | "why"> & { readonly why?: Text };
