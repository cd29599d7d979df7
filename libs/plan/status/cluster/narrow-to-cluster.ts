import { findShareCluster, mayConcernCluster } from "#libs/input";
import { renderComing, renderPause } from "#libs/wording";

import type { FleetStatus } from "../status.ts";
import type { RunStatus } from "../status-runs.ts";
import type { ClusterStatus } from "./describe-clusters.ts";

/** The status of one cluster, without what concerns only the whole fleet: shares, campaigns, overwritten workloads. */
export interface StatusOfCluster extends FleetStatus {
  readonly cluster: string;
}

interface Named {
  readonly workload: string;
}

/** With the planner's counts for the cluster, and no other: the fleet's list ends at a hundred. */
function narrowList<Item extends Named, Counts extends object>(
  all: { readonly items: readonly Item[] } | undefined,
  own: Counts | undefined,
  cluster: string,
): (Counts & { readonly items: readonly Item[] }) | undefined {
  if (all === undefined || own === undefined) return undefined;
  return { ...own, items: all.items.filter(({ workload }) => workload.startsWith(`${cluster}:`)) };
}

function narrowRun(run: RunStatus, cluster: string): readonly RunStatus[] {
  const share = run.clusters.find((each) => each.cluster === cluster);
  if (share === undefined) return [];
  const { workloads, migrated, idle, migrating, pending, waiting, skipped } = share;
  const named = run.skipped.filter((each) => each.cluster === cluster);
  const { leftover: _, listed: __, ...whole } = run;
  const counts = { workloads, migrated, idle, migrating, pending, waiting, skippedTotal: skipped };
  return [{ ...whole, ...counts, skipped: named, clusters: [share] }];
}

function countLeft(runs: readonly RunStatus[]): number {
  return runs.reduce((sum, { migrating, pending, waiting }) => sum + migrating + pending + waiting, 0);
}

/** Events of open runs, with the cluster's own figures where the fleet's have one. */
function narrowComing({ next, runs: all }: FleetStatus, runs: readonly RunStatus[]): FleetStatus["next"] {
  if (all.length === 0) return next;
  const left = countLeft(runs);
  if (left === 0) return [renderComing({ code: "NothingLeft" })];
  return next.map((each) => {
    if (each.event === "DeploysEnd") return renderComing({ code: "Deploys", left });
    return each.event === "BatchesEnd" ? renderComing({ code: "Batches", left }) : each;
  });
}

/** The progress of a rollback in this cluster. Its duration is known for the fleet only. */
function narrowRollback({ rollback }: FleetStatus, runs: readonly RunStatus[]): FleetStatus["rollback"] {
  const run = runs.find(({ id }) => id === rollback?.run);
  if (run === undefined || rollback === undefined) return undefined;
  return { run: run.id, of: rollback.of, done: run.workloads - countLeft([run]), total: run.workloads };
}

function concerns(scope: string, cluster: string): boolean {
  return (findShareCluster(scope) ?? cluster) === cluster && mayConcernCluster(scope, cluster);
}

/** The part of a fleet's status about one cluster: its counts, its waits, and its share of open runs. */
export function narrowToCluster(status: FleetStatus, own: ClusterStatus): StatusOfCluster {
  const cluster = own.name;
  const { rollback: _, failures, skipped, putBack: __, unmoved: ____, campaigns: ___, ...rest } = status;
  const runs = status.runs.flatMap((run) => narrowRun(run, cluster));
  const narrowed = {
    rollback: narrowRollback(status, runs),
    failures: narrowList(failures, own.failures, cluster),
    skipped: narrowList(skipped, own.skipped, cluster),
  };
  return {
    ...rest,
    ...(narrowed.rollback === undefined ? {} : { rollback: narrowed.rollback }),
    ...(narrowed.failures === undefined ? {} : { failures: narrowed.failures }),
    ...(narrowed.skipped === undefined ? {} : { skipped: narrowed.skipped }),
    cluster,
    state: runs.length === 0 ? "Idle" : status.state,
    where: [],
    rollouts: status.rollouts.filter((each) => each.cluster === cluster),
    waiting: status.waiting.filter(({ scope }) => concerns(scope, cluster)),
    next: narrowComing(status, runs),
    stop: renderPause({ code: "Cluster", cluster }),
    runs,
    clusters: [own],
    stops: status.stops.filter(({ scope }) => concerns(scope, cluster)),
  };
}
