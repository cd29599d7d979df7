import type { RenderedWorkloadReason } from "#libs/wording";

import { dropAbsent } from "../drop-absent.ts";

/** A workload that its run gave up, with the reason for people. */
export interface SkippedWorkload extends RenderedWorkloadReason {
  readonly cluster: string;
  readonly workload: string;
  /** Its move failed: it has a failure annotation of this run. */
  readonly failed?: true;
  /** It is none of the run's workloads: only the label of its namespace affects it, so no count has it. */
  readonly neighbour?: true;
}

/** Workloads of a run that another one took over, as they were when that began. */
export interface TakenPart extends Pick<RunOutcome, "migrated" | "idle" | "skipped"> {
  /** The later run's id, or that of the stop of a rollback at once. */
  readonly by: string;
  /** Workloads that it had not finished: due, waiting or in rollout. */
  readonly left: number;
}

/** Figures of an ended run; `failed` is a part of `skipped`. Absent = none; `failed` is also absent in older records. */
export interface OutcomeCounts {
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
  /** By cluster: how many more were skipped that an earlier stage left over. The end of that stage's run names them; absent = none. */
  readonly earlier?: Readonly<Record<string, number>>;
  /** The later run that took over all its workloads, as the merged rollback of a run does. */
  readonly takenOverBy?: string;
  /** Of those that later runs took over: not finished when that began; the other figures have the rest of them. Absent = none. */
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

/**
 * The skipped workloads are those that it names, and those that the end of an earlier stage named already. One that only the label
 * of its namespace affects is none of the run's.
 */
export function countOutcome({ migrated, idle, skipped, earlier = {}, left }: RunOutcome): OutcomeCounts {
  const named = Object.values(earlier).reduce((sum, count) => sum + count, 0);
  const own = skipped.filter(({ neighbour }) => neighbour !== true);
  const failed = own.filter((each) => each.failed === true).length;
  return {
    migrated,
    ...dropAbsent({ idle }),
    skipped: named + own.length,
    ...(failed === 0 ? {} : { failed }),
    ...dropAbsent({ left }),
  };
}
