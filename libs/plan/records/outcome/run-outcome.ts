import type { RenderedWorkloadReason } from "#libs/wording";

import { dropAbsent } from "../drop-absent.ts";

/** A workload that its run gave up, with the reason for people. */
export interface SkippedWorkload extends RenderedWorkloadReason {
  readonly cluster: string;
  readonly workload: string;
  /** Its move failed: it has a failure annotation of this run. */
  readonly failed?: true;
}

/** What a run had done at one moment. */
export interface RunProgress extends Pick<RunOutcome, "migrated" | "idle" | "skipped"> {
  /** Workloads that it had not finished: due, waiting or in rollout. */
  readonly left: number;
}

/** Figures of an ended run; `failed` is a part of `skipped`. Absent = none; `failed` is also absent in older records. */
export interface RunCounts {
  readonly migrated: number;
  readonly idle?: number;
  readonly skipped: number;
  readonly failed?: number;
  readonly left?: number;
}

/** How a run ended. Each workload that is not where the file wants it is named with its reason. */
export interface RunOutcome {
  readonly migrated: number;
  /** Workloads with the label set and 0 replicas; absent = none. */
  readonly idle?: number;
  readonly skipped: readonly SkippedWorkload[];
  /**
   * The later run that took over all its workloads, as the merged rollback of a run does. The figures are then those of the moment
   * when that run, or the rollback, began.
   */
  readonly takenOverBy?: string;
  /** With `takenOverBy`: workloads that it had not finished then; absent = none. */
  readonly left?: number;
  /** The clusters whose fresh inventory was judged. */
  readonly seen: readonly string[];
  /** The differences from the list in its pull request (rules 10.2); absent without a list. */
  readonly differences?: readonly ListDifference[];
}

/** A listed workload that the run did not move, or a moved one that is not listed. */
export interface ListDifference {
  readonly cluster: string;
  readonly workload: string;
  readonly why: "gone" | "already there" | "unhealthy" | "failed" | "overwritten" | "rolled back" | "late" | "skipped";
  /** More for people, where there is more. */
  readonly reason?: string;
}

export function countOutcome({ migrated, idle, skipped, left }: RunOutcome): RunCounts {
  const failed = skipped.filter((each) => each.failed === true).length;
  return {
    migrated,
    ...dropAbsent({ idle }),
    skipped: skipped.length,
    ...(failed === 0 ? {} : { failed }),
    ...dropAbsent({ left }),
  };
}
