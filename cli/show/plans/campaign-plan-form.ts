import type { ApprovalRule } from "#libs/campaign";
import type { ListedCounts, Move } from "#libs/plan";
import type { Finding, ShareChange } from "#libs/rollouts";
import type { SkippedFor } from "#libs/wording";

/** One bucket of the file, before and after a stage. */
export interface PlannedBucket {
  readonly bucket: string;
  /** Managed namespaces. */
  readonly namespaces: number;
  /** Whole percent that the target has. */
  readonly requested: { readonly from: number; readonly to: number };
  /** Managed namespaces on the target, by the file. */
  readonly now: number;
  readonly after: number;
  /** Managed namespaces all of whose pods run the target, whatever the file says. */
  readonly runs: number;
  readonly moves: number;
  readonly back: number;
  readonly workloads: number;
  readonly pods: number;
  /** Excluded namespaces that would move otherwise, and the latest end of an exclusion (ISO). */
  readonly excluded?: { readonly namespaces: number; readonly until?: string };
}

/** A namespace that no stage brings to the target. */
export interface Leftover {
  readonly namespace: string;
  readonly bucket: string;
  readonly revision: string;
  readonly why: string;
}

/** A workload that does not move, or whose owner may notice the move. */
export interface Waiting {
  readonly cluster: string;
  readonly workload: string;
  readonly kind: "skipped" | "risk";
  /** `at`, `until`: ISO. */
  readonly why: SkippedFor;
}

/** The effect of one stage on a fleet; `-o json` prints exactly this. Times are ISO, durations ms. */
export interface CampaignPlan {
  readonly apiVersion: "meshroll.dev/v1";
  readonly kind: "CampaignPlan";
  readonly campaign: string;
  readonly target: string;
  readonly stage: { readonly name: string; readonly index: number; readonly of: number };
  /** Earlier stages that are not reached. */
  readonly before: readonly string[];
  readonly commit: string;
  readonly changes: readonly ShareChange[];
  readonly buckets: readonly PlannedBucket[];
  readonly clusters: readonly {
    readonly cluster: string;
    readonly wave: number;
    readonly namespaces: number;
    readonly workloads: number;
    readonly pods: number;
    readonly batches: number;
    readonly aboutMs: number;
  }[];
  readonly namespaces: number;
  /** The workloads that the stage's run will have. */
  readonly counts: ListedCounts;
  readonly moves: readonly Move[];
  readonly fewestPossible: number;
  readonly aboutMs: number;
  /** Strategy `OnDeploy`: how long deploys are awaited in each wave, and the latest end after the merge. */
  readonly onDeploy?: { readonly deadlineMs: number; readonly latestMs: number };
  readonly approvals: ApprovalRule;
  /** Absent = a person merges it. */
  readonly autoMerge?: { readonly noticeMs: number };
  readonly start: { readonly at?: string; readonly why?: string; readonly until?: string };
  readonly blocked: readonly Waiting[];
  readonly leftover: readonly Leftover[];
  readonly findings: readonly Finding[];
}
