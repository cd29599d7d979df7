import type { ClusterIndex, IndexKey, RunView } from "../../index/index.ts";
import type { ClusterSnapshot, Snapshot, UnseenCluster } from "../../records/index.ts";
import { describeFailures, type Failure, type FailureStatus } from "../failure-status.ts";
import { describeSkewed } from "../skew/skewed-pods.ts";
import { describeUnserved } from "../unserved/unserved-pods.ts";
import { describeSkipped, type Skipped, type SkippedSummary } from "../skipped/list-skipped.ts";

export interface ClusterStatus {
  readonly name: string;
  readonly mode: "observe" | "act";
  readonly fresh: boolean;
  /** Absent where no executor has read it. */
  readonly ageSeconds?: number;
  readonly namespaces: number;
  readonly workloads: number;
  readonly unmanaged: number;
  readonly rolling: number;
  readonly unhealthy: number;
  /** Managed workloads that differ from the file and belong to no run. */
  readonly drift: number;
  /** Managed workloads that have the revision that main wants; absent where no file was judged, or in an earlier status. */
  readonly onDesired?: number;
  /** Names of the revisions that its control planes offer; absent in an earlier status. */
  readonly revisions?: readonly string[];
  /** The part of the fleet's `failures` and `skipped` in this cluster; absent without a head. */
  readonly failures?: Omit<FailureStatus, "items">;
  readonly skipped?: Omit<SkippedSummary, "items">;
  readonly problems: readonly string[];
}

function countWorkloads({ namespaces }: ClusterSnapshot): number {
  return [...namespaces.values()].reduce((sum, { workloads }) => sum + workloads.length, 0);
}

/** What its executor names, and pods that nothing serves or whose proxy is too far from its istiod. */
function listProblems({ facts }: ClusterSnapshot, judged: ClusterIndex | undefined): readonly string[] {
  if (judged === undefined) return facts.problems;
  return [...facts.problems, ...describeUnserved(judged, facts), ...describeSkewed(judged, facts)];
}

/** What runs left, with each workload's judgement. */
export interface LeftLists {
  readonly failed: readonly Failure[];
  readonly given: readonly Skipped[];
  readonly views: readonly RunView[];
}

function countLeft({ failed, given, views }: LeftLists): Pick<ClusterStatus, "failures" | "skipped"> {
  const { items: _, ...failures } = describeFailures(failed, views);
  const { items: __, ...skipped } = describeSkipped(given, views);
  return { failures, skipped };
}

function describeSeen(
  cluster: ClusterSnapshot,
  judged: ClusterIndex | undefined,
  left: LeftLists | undefined,
): ClusterStatus {
  const count = (indexKey: IndexKey) => judged?.count(indexKey) ?? 0;
  const workloads = judged === undefined ? countWorkloads(cluster) : count("workloads");
  return {
    name: cluster.name,
    mode: cluster.facts.mode,
    fresh: cluster.fresh,
    ageSeconds: Math.round(cluster.ageMs / 1000),
    namespaces: cluster.namespaces.size,
    workloads,
    unmanaged: judged === undefined ? 0 : workloads - count("managed"),
    rolling: count("rolling"),
    unhealthy: count("unhealthy"),
    drift: count("drift"),
    ...(judged === undefined ? {} : { onDesired: count("inPlace") }),
    revisions: cluster.facts.revisions.map(({ name }) => name),
    ...(left === undefined ? {} : countLeft(left)),
    problems: listProblems(cluster, judged),
  };
}

/** It has no figures, because no executor has read it. */
function describeUnseen({ name, mode, problems }: UnseenCluster): ClusterStatus {
  const nothing = { namespaces: 0, workloads: 0, unmanaged: 0, rolling: 0, unhealthy: 0, drift: 0 };
  return { name, mode, fresh: false, ...nothing, problems };
}

/** Each cluster that an executor serves, also one that it could never read. */
export function describeClusters(
  { clusters, unseen = [] }: Pick<Snapshot, "clusters" | "unseen">,
  fleet: ReadonlyMap<string, ClusterIndex>,
  lists: LeftLists | undefined,
): readonly ClusterStatus[] {
  const failed = Map.groupBy(lists?.failed ?? [], (each) => each.failed.cluster);
  const given = Map.groupBy(lists?.given ?? [], (each) => each.judged.cluster);
  const seen = [...clusters.values()].map((cluster) => {
    const { name } = cluster;
    const left = lists && { ...lists, failed: failed.get(name) ?? [], given: given.get(name) ?? [] };
    return describeSeen(cluster, fleet.get(name), left);
  });
  return [...seen, ...unseen.map(describeUnseen)];
}
