import type { ComingEvent, CommandStatus, ReasonWords, RenderedReason, Text, UndoStatus } from "#libs/wording";

import type { StopStatus } from "../stops/index.ts";
import type { FailureBudget } from "./failure-status.ts";
import type { SkippedSummary } from "./skipped/list-skipped.ts";
import type { RollbackStatus } from "./status-undo.ts";

/** The target's share of one bucket of a campaign, asked and actual. */
export interface CampaignBucket {
  readonly bucket: string;
  /** Whole percent that main gives to the target. */
  readonly asked: number;
  /** Managed namespaces over the fleet whose workloads all run the target, in percent of `total`, one decimal. */
  readonly actual: number;
  readonly onTarget: number;
  readonly total: number;
}

/** What one cluster does for a campaign this minute. */
export interface CampaignDoing {
  readonly cluster: string;
  readonly run: string;
  /** The batch at work, from 1, and how many it takes as far as `batchSize` says. */
  readonly batch: number;
  readonly of: number;
  readonly migrating: number;
  /** The first ten, `namespace/Kind/name`. */
  readonly workloads: readonly string[];
}

export interface StageStatus {
  readonly name: string;
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** One stage of the file and how far it is. */
export interface StageProgress {
  readonly name: string;
  /** From 1. */
  readonly index: number;
  /** Whole percent of the target by bucket. */
  readonly set: Readonly<Record<string, number>>;
  /**
   * `Next` may be proposed or waits for that, `Held` is kept back by a stop, `RolledBack` ran and is not reached any more,
   * `Completed` is reached and nothing of it is open.
   */
  readonly state:
    | "Pending"
    | "Next"
    | "Proposed"
    | "Running"
    | "Baking"
    | "Completed"
    | "Held"
    | "Failed"
    | "RolledBack";
  /** Main gives every bucket at least its share. */
  readonly reached: boolean;
  /** Its bake is over. */
  readonly baked: boolean;
  /** Its newest run. */
  readonly run?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
}

/** A gate with what was said last: value and limit always stand with the verdict (rules 6.3). */
export interface GateStatus {
  readonly name: string;
  readonly when: "before" | "during" | "after";
  /** `pending`: nothing was said yet. */
  readonly status: "pass" | "fail" | "noData" | "pending";
  /** Of what it found. */
  readonly code?: string;
  readonly why?: Text;
  readonly at?: string;
  readonly value?: number;
  readonly limit?: number;
  readonly baseline?: number;
  readonly query?: string;
}

export interface BakeStatus {
  readonly healthySeconds: number;
  readonly neededSeconds: number;
  /** ISO, if it counts from now on without a pause. */
  readonly endsAt?: string;
  /** Why it is interrupted; absent = it counts. */
  readonly paused?: ReasonWords;
}

/** Namespaces that the campaign leaves alone. */
export interface ExclusionStatus {
  readonly pattern: string;
  readonly reason: string;
  /** ISO; absent = for good. */
  readonly until?: string;
}

type Check = "success" | "failure" | "pending";

/** A stage's pull request, as GitHub last told. */
export interface PullStatus {
  readonly stage: string;
  readonly number: number;
  readonly url: string;
  readonly branch: string;
  readonly state: "open" | "merged" | "closed";
  readonly headSha: string;
  /** Absent = not judged by this planner yet. */
  readonly checks?: { readonly plan: Check; readonly approvals: Check };
}

/** A wait as people read it, and what waits: `all`, `campaign/<name>`, `run/<id>`, `run/<id>@<cluster>`, `pull/<number>` … */
export interface WaitStatus extends RenderedReason {
  readonly scope: string;
}

/** One campaign at one instant: every surface prints this and nothing else (ux.md §0, §2.4). */
export interface CampaignStatus {
  readonly apiVersion: "meshroll.dev/v1";
  readonly kind: "CampaignStatus";
  readonly name: string;
  readonly at: string;
  readonly target: string;
  readonly replaces: readonly string[];
  readonly owners: readonly string[];
  /** Sail's words. */
  readonly state: "Idle" | "InProgress" | "Completed" | "Failed";
  /** The stage at work, or the next one; absent once all are through. */
  readonly stage?: StageStatus;
  /** After `stage`; absent at the last one. */
  readonly next?: StageStatus;
  readonly stages: readonly StageProgress[];
  /** When its first run began, ISO. */
  readonly startedAt?: string;
  /** Open runs, oldest first; their figures stand in `runs` of the fleet's status. */
  readonly runs: readonly string[];
  readonly where: readonly CampaignBucket[];
  readonly doing: readonly CampaignDoing[];
  readonly waitingFor: readonly WaitStatus[];
  readonly otherwise: readonly ComingEvent[];
  readonly stop: CommandStatus;
  readonly undo: UndoStatus;
  /** Workloads of the open runs. */
  readonly counts: {
    readonly workloads: number;
    readonly migrated: number;
    readonly idle: number;
    readonly migrating: number;
    readonly pending: number;
    readonly waiting: number;
    readonly skipped: number;
  };
  readonly bake?: BakeStatus;
  /** Absent while nothing is rolled back. */
  readonly rollback?: RollbackStatus;
  readonly gates: readonly GateStatus[];
  readonly failures: FailureBudget;
  /** Of its runs, also those that are over, without what failed; absent from a planner of an earlier version. */
  readonly skipped?: SkippedSummary;
  readonly leftOut: readonly ExclusionStatus[];
  readonly pull?: PullStatus;
  /** Holds and pauses that bind it. */
  readonly stops: readonly StopStatus[];
}
