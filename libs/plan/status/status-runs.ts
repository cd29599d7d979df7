import { lookUp } from "#libs/input";
import { type RenderedWorkloadReason, renderWorkloadReason } from "#libs/wording";

import { countLines } from "../proposals/index.ts";
import type { LedgerState } from "../records/index.ts";
import { take } from "../moves/index.ts";
import { countInClusters, countRuns, type RunCounts, type RunInCluster, type RunView } from "../index/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";

/** A workload that its run gave up; `failed` where its move failed, in this run or an earlier one. */
export interface SkippedStatus extends RenderedWorkloadReason {
  readonly cluster: string;
  readonly workload: string;
  readonly failed?: true;
}

export interface RunStatus {
  readonly id: string;
  /** Full SHA; absent in an earlier version's status. */
  readonly commit?: string;
  readonly subject: string;
  readonly author: string;
  readonly startedAt: string;
  /** The sum of the six classes that follow. */
  readonly workloads: number;
  /** Of `workloads`: left over by an earlier stage, so that this run's pull request does not list them; absent = none. */
  readonly leftover?: number;
  /** How many workloads the list of its pull request names, as it was merged; absent where there is none. */
  readonly listed?: number;
  readonly migrated: number;
  /** Workloads with 0 replicas, whose label is set; they are no evidence. */
  readonly idle: number;
  readonly migrating: number;
  readonly pending: number;
  readonly waiting: number;
  /** The first hundred, failures first; `skippedTotal` counts all. */
  readonly skipped: readonly SkippedStatus[];
  readonly skippedTotal: number;
  /** Its part of each cluster in which it has workloads. */
  readonly clusters: readonly RunShareStatus[];
}

/** A run in one cluster. */
interface RunShareStatus extends Omit<RunCounts, "leftover"> {
  readonly cluster: string;
}

/** The length of lists in a status: a value on the bus ends at 1 MiB. */
export const mostListed = 100;

function readSkipped({ cluster, key, state }: JudgedWorkload): readonly SkippedStatus[] {
  if (state.kind !== "skipped") return [];
  const reason = renderWorkloadReason(state.reason);
  return [{ cluster, workload: key, ...reason, ...(state.failureAnnotation === undefined ? {} : { failed: true }) }];
}

/** Failures first, because the list may be cut. */
function listSkipped(view: RunView): readonly SkippedStatus[] {
  const all = [...view.clusters.values()];
  const failed = all.flatMap((classes) => take(classes.listFailureAnnotated(), mostListed).flatMap(readSkipped));
  const others = all
    .flatMap((classes) => classes.collect("skipped", mostListed, readSkipped).flat())
    .filter((each) => !each.failed);
  return [...failed, ...others].slice(0, mostListed);
}

function describeShare(cluster: string, classes: RunInCluster): RunShareStatus {
  const { leftover: _, ...counts } = countInClusters([classes]);
  return { cluster, ...counts };
}

/** One run for all surfaces. */
export function describeRun(view: RunView, ledger: LedgerState | undefined): RunStatus {
  const { run } = view;
  const plan = lookUp(ledger?.plans ?? {}, run.list ?? "");
  const { skipped: skippedTotal, leftover, failed: _, ...counts } = countRuns([view]);
  return {
    id: run.id,
    commit: run.commit,
    subject: run.subject,
    author: run.author,
    startedAt: run.startedAt,
    ...counts,
    ...(leftover === 0 ? {} : { leftover }),
    ...(plan === undefined ? {} : { listed: countLines(plan.list) }),
    skipped: listSkipped(view),
    skippedTotal,
    clusters: [...view.clusters].map(([name, classes]) => describeShare(name, classes)),
  };
}
