import { createOwnership } from "./ownership.ts";
import { judgeCluster } from "./judge-fleet.ts";
import type { WorkloadStanding } from "./standing.ts";
import type { ClusterWorld, Spec } from "./world.ts";

/** A namespace whose answer changes. */
export interface Move {
  readonly namespace: string;
  readonly bucket: string;
  readonly from: string;
  readonly to: string;
  readonly workloads: readonly MovedWorkload[];
}

/** A managed workload of a namespace that moves. */
export interface MovedWorkload {
  readonly cluster: string;
  /** `namespace/Kind/name`. */
  readonly workload: string;
  readonly pods: number;
  /** It runs the new answer already: nothing will be done. */
  readonly isThere: boolean;
  /** It will be left aside, and why. */
  readonly aside?: string;
  /** Why its owner may notice. */
  readonly risks: readonly string[];
}

export interface ClusterCounts {
  readonly cluster: string;
  readonly namespaces: number;
  readonly workloads: number;
  readonly pods: number;
}

export interface BucketCounts {
  readonly bucket: string;
  /** Managed namespaces of the bucket after the change. */
  readonly namespaces: number;
  readonly moves: number;
  /** Moves away from a revision whose share in the bucket did not fall: 0 in a ramp. */
  readonly back: number;
}

/** What a change of the file would do to this fleet: for people and for the list that is executed. */
export interface Proposal {
  readonly moves: readonly Move[];
  readonly namespaces: number;
  readonly clusters: readonly ClusterCounts[];
  readonly buckets: readonly BucketCounts[];
}

function listRisks({ workload, standing }: WorkloadStanding): readonly string[] {
  const risks: string[] = [];
  if (workload.replicas === 1) risks.push("1 replica: its restart may be noticed");
  if (workload.disruptionsAllowed === 0) risks.push("its PodDisruptionBudget allows no disruption: it waits");
  if (standing.kind === "due" && standing.unhealthyBefore) risks.push("unhealthy already: tried at the end");
  if (standing.kind === "blocked") risks.push(standing.reason);
  return risks;
}

function describeWorkload(each: WorkloadStanding): MovedWorkload {
  const { standing, cluster, key, workload } = each;
  const described = {
    cluster,
    workload: key,
    pods: workload.replicas,
    isThere: standing.kind === "there",
    risks: listRisks(each),
  };
  return standing.kind === "aside" ? { ...described, aside: standing.reason } : described;
}

function groupManaged(judged: readonly WorkloadStanding[]): ReadonlyMap<string, readonly WorkloadStanding[]> {
  const groups = new Map<string, WorkloadStanding[]>();
  for (const each of judged) {
    if (each.standing.kind === "unmanaged") continue;
    const group = groups.get(each.workload.namespace) ?? [];
    group.push(each);
    groups.set(each.workload.namespace, group);
  }
  return groups;
}

function countClusters(moves: readonly Move[]): readonly ClusterCounts[] {
  const counts = new Map<string, { namespaces: Set<string>; workloads: number; pods: number }>();
  for (const { namespace, workloads } of moves) {
    for (const { cluster, pods, isThere, aside } of workloads) {
      const count = counts.get(cluster) ?? { namespaces: new Set(), workloads: 0, pods: 0 };
      counts.set(cluster, count);
      count.namespaces.add(namespace);
      if (isThere || aside !== undefined) continue;
      count.workloads += 1;
      count.pods += pods;
    }
  }
  return [...counts].map(([cluster, each]) => ({ cluster, ...each, namespaces: each.namespaces.size }));
}

/** A move is back when it leaves a revision that did not lose weight in the bucket that decides now. */
function isBack({ namespace, from }: Move, before: Spec, after: Spec): boolean {
  const weightOf = (spec: Spec) =>
    spec.resolver.resolve(namespace).bucket.shares.find((share) => share.revision === from)?.weight ?? 0;
  return weightOf(after) >= weightOf(before);
}

function countBuckets(
  moves: readonly Move[],
  namespaces: Iterable<string>,
  before: Spec,
  after: Spec,
): readonly BucketCounts[] {
  const counts = new Map(after.rollouts.buckets.map(({ pattern }) => [pattern, { namespaces: 0, moves: 0, back: 0 }]));
  for (const namespace of namespaces) {
    const count = counts.get(after.resolver.resolve(namespace).bucket.pattern);
    if (count !== undefined) count.namespaces += 1;
  }
  for (const move of moves) {
    const count = counts.get(move.bucket);
    if (count === undefined) continue;
    count.moves += 1;
    if (isBack(move, before, after)) count.back += 1;
  }
  return [...counts].map(([bucket, count]) => ({ bucket, ...count }));
}

/** Compares two states of the file over the fleet: who moves, where, how many, at what risk. Nothing in it is written anywhere. */
export function proposeMoves(before: Spec, after: Spec, clusters: Iterable<ClusterWorld>, now: number): Proposal {
  const ownerOf = createOwnership(after, undefined, new Map());
  const judged = [...clusters].flatMap((cluster) =>
    judgeCluster({ cluster, head: after, ownerOf, now, waitingSince: new Map() }),
  );
  const groups = groupManaged(judged);
  const moves: Move[] = [];
  for (const [namespace, group] of [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const from = before.resolver.resolve(namespace).revision;
    const answer = after.resolver.resolve(namespace);
    if (from === answer.revision) continue;
    moves.push({
      namespace,
      bucket: answer.bucket.pattern,
      from,
      to: answer.revision,
      workloads: group.map(describeWorkload),
    });
  }
  return {
    moves,
    namespaces: groups.size,
    clusters: countClusters(moves),
    buckets: countBuckets(moves, groups.keys(), before, after),
  };
}
