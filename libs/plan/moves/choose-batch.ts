import type { Reason } from "#libs/wording";

import { findClusterObstacle } from "../conditions/index.ts";
import type { RunInCluster, RunView } from "../index/index.ts";
import { settingsOf } from "../main/index.ts";
import type { ClusterSnapshot, Due, Spec } from "../records/index.ts";
import { blockers } from "../workloads/index.ts";
import { type BatchChoice, type BatchInput, wait } from "./batch-choice.ts";
import { chooseForward } from "./choose-forward.ts";
import { chooseRollback } from "./choose-rollback.ts";

/** The facts for the planner's choice in one cluster. */
export interface ClusterWork extends Omit<BatchInput, "run" | "settings" | "settingsFor" | "countRolling" | "refused"> {
  readonly head: Spec;
  /** Served runs, oldest first. */
  readonly views: readonly RunView[];
  /** By run: its forward moves wait, and the wait is listed already. */
  readonly held: ReadonlyMap<string, Reason>;
  /** Main does not parse, or the ledger cannot be pushed: only rollbacks go on (rules 2.4, 8.2). */
  readonly onlyRollbacks: boolean;
}

/**
 * Which class of workloads may move forward now: pending ones first, and those unhealthy before the run when nothing else is
 * left.
 */
function chooseDue(
  { onlyRollbacks, held }: ClusterWork,
  run: string,
  classes: RunInCluster,
): Exclude<Due, "rollback"> | undefined {
  if (onlyRollbacks || held.has(run)) return undefined;
  if (classes.count(["pending"]) > 0) return "pending";
  const isLast = classes.count(["migrating", "waiting", "rollback"]) === 0 && classes.count(["pendingLast"]) > 0;
  return isLast ? "pendingLast" : undefined;
}

/** One wait for each cause for which workloads wait for their owner, with the first one as the example. */
function nameWaiting(run: string, cluster: string, classes: RunInCluster): readonly BatchChoice[] {
  return blockers.flatMap((by) => {
    const first = classes.findWaitingOne(by);
    if (first?.state.kind !== "waiting") return [];
    const { reason } = first.state;
    const example = { workload: first.key, reason };
    const until = "until" in reason ? { until: reason.until } : {};
    return [wait(run, { code: by, cluster, count: classes.countWaiting(by), example, ...until })];
  });
}

/** What every choice waits for, whichever workload is due: the cluster's state, or the job that it has. */
function findObstacle(cluster: ClusterSnapshot, run: string): BatchChoice | undefined {
  const reason = findClusterObstacle(cluster);
  if (reason !== undefined) return wait(run, reason);
  if (cluster.batch === undefined) return undefined;
  if (cluster.batch.state === "unread") return wait(run, { code: "QueueDown" });
  return wait(run, { code: "BatchInHand", cluster: cluster.name, run: cluster.batch.run });
}

function goForward(work: ClusterWork, input: BatchInput, classes: RunInCluster): BatchChoice {
  const due = chooseDue(work, input.run.id, classes);
  return due === undefined ? { kind: "nothing" } : chooseForward(input, classes, due);
}

/** The input that is the same for all runs of the cluster. */
function describeInput(work: ClusterWork): Omit<BatchInput, "run" | "settings"> {
  const settingsFor: BatchInput["settingsFor"] = (run) => settingsOf(work.head, run);
  return { ...work, countRolling: () => work.judged.count("rolling"), settingsFor };
}

/**
 * The run that may work in a cluster next, and what others wait for. Only one at a time: rollbacks first, then the oldest run
 * (rules 1.3, 4.1). The batch lists what the planner sees; the cluster's executor chooses by its own facts.
 */
export function chooseBatch(work: ClusterWork): readonly BatchChoice[] {
  const { cluster, head } = work;
  const shared = describeInput(work);
  const waits: BatchChoice[] = [];
  for (const way of ["back", "forward"] as const) {
    for (const view of work.views) {
      const classes = view.clusters.get(cluster.name);
      if (classes === undefined) continue;
      if (cluster.fresh && way === "forward") waits.push(...nameWaiting(view.run.id, cluster.name, classes));
      const input = { ...shared, run: view.run, settings: settingsOf(head, view.run) };
      const choice = way === "back" ? chooseRollback(input, classes) : goForward(work, input, classes);
      if (choice.kind === "nothing") continue;
      const obstacle = findObstacle(cluster, view.run.id);
      if (obstacle !== undefined) waits.push(obstacle);
      else if (choice.kind === "batch") return [...waits, choice];
      else waits.push(choice);
    }
  }
  return waits;
}
