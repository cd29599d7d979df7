import type {
  ComingEvent,
  CommandStatus,
  ReasonWords,
  RenderedReason,
  Text,
  UndoStatus,
  VmGroupWords,
} from "#libs/wording";

import type { RunCounts } from "../index/index.ts";
import type { StopStatus } from "../stops/index.ts";
import type { CalendarStatus } from "./calendar/describe-calendar.ts";
import type { FailureBudget } from "./failure-status.ts";
import type { SkippedSummary } from "./skipped/list-skipped.ts";
import type { RollbackStatus } from "./status-undo.ts";

/** The target's share of one bucket of a campaign, requested and actual. */
export interface CampaignBucket {
  readonly bucket: string;
  /** The target's percentage in main. */
  readonly requested: number;
  /** Managed namespaces whose workloads all run the target, in percent of `total`, one decimal. */
  readonly actual: number;
  readonly onTarget: number;
  readonly total: number;
}

/** A campaign's present work in one cluster. */
export interface CampaignRollouts {
  readonly cluster: string;
  readonly run: string;
  /** The present batch, from 1, and their number by `batchSize`. */
  readonly batch: number;
  readonly of: number;
  readonly migrating: number;
  /** The first ten, `namespace/Kind/name`. */
  readonly workloads: readonly string[];
  /** The groups of VMs among all of them, the first ten; absent where there is none. */
  readonly vms?: readonly VmGroupWords[];
}

export interface StageStatus {
  readonly name: string;
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** One stage of the file and its progress. */
export interface StageProgress {
  readonly name: string;
  /** From 1. */
  readonly index: number;
  /** Whole percent of the target by bucket. */
  readonly set: Readonly<Record<string, number>>;
  /**
   * `Next` may be proposed or waits for that, `Held` is kept back by a stop, `RolledBack` ran and is no longer reached,
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
  /**
   * ISO: not before this, by windows, freezes and the bakes before it, to 5 minutes; people and batches take longer. Absent =
   * reached, at once, or no window opens within a year; also in an earlier version's status.
   */
  readonly notBefore?: string;
  /** Its newest run. */
  readonly run?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
}

/** A gate with its last result, value and limit (rules 6.3). */
export interface GateStatus {
  readonly name: string;
  readonly when: "before" | "during" | "after";
  /** `pending`: no result yet. */
  readonly status: "pass" | "fail" | "noData" | "pending";
  /** The code of its finding. */
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
  /** Why it is paused; absent = it counts. */
  readonly paused?: ReasonWords;
}

/** Namespaces that the campaign leaves out. */
export interface ExclusionStatus {
  readonly pattern: string;
  readonly reason: string;
  /** ISO; absent = for good. */
  readonly until?: string;
}

type Check = "success" | "failure" | "pending";

/** A stage's pull request, as the SCM last reported. */
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

/** A wait for people, and what waits: `all`, `campaign/<name>`, `run/<id>`, `run/<id>@<cluster>`, `pull/<number>` … */
export interface WaitStatus extends RenderedReason {
  readonly scope: string;
}

/** One campaign at one instant; all surfaces print this. */
export interface CampaignStatus {
  readonly apiVersion: "meshroll.dev/v1";
  readonly kind: "CampaignStatus";
  readonly name: string;
  readonly at: string;
  readonly target: string;
  readonly replaces: readonly string[];
  readonly owners: readonly string[];
  /** In Sail's words. */
  readonly state: "Idle" | "InProgress" | "Completed" | "Failed";
  /** The present stage, or the next one; absent once all are complete. */
  readonly stage?: StageStatus;
  /** After `stage`; absent at the last one. */
  readonly nextStage?: StageStatus;
  readonly stages: readonly StageProgress[];
  /** When its first run began, ISO. */
  readonly startedAt?: string;
  /** Open runs, oldest first; their figures are in `runs` of the fleet's status. */
  readonly runs: readonly string[];
  readonly where: readonly CampaignBucket[];
  readonly rollouts: readonly CampaignRollouts[];
  readonly waiting: readonly WaitStatus[];
  readonly next: readonly ComingEvent[];
  readonly stop: CommandStatus;
  readonly undo: UndoStatus;
  /** Workloads of the open runs, each in one class; `workloads` is their sum. */
  readonly counts: Omit<RunCounts, "failed" | "leftover"> & {
    /** Left over by an earlier stage; absent = none. */
    readonly leftover?: number;
  };
  readonly bake?: BakeStatus;
  /** Absent without windows and freezes, during a rollback, which ignores them, and in an earlier version's status. */
  readonly calendar?: CalendarStatus;
  /** Absent while nothing is rolled back. */
  readonly rollback?: RollbackStatus;
  readonly gates: readonly GateStatus[];
  readonly failures: FailureBudget;
  /** Skipped workloads of its runs, ended ones included, without failures; absent in an earlier version's status. */
  readonly skipped?: SkippedSummary;
  readonly leftOut: readonly ExclusionStatus[];
  readonly pull?: PullStatus;
  /** Holds and pauses on it. */
  readonly stops: readonly StopStatus[];
}
