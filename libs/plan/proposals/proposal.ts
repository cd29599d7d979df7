import { checkBuckets, checkSeed, findIdleExclusions, type GatewayPolicy } from "#libs/campaign";
import {
  changedBuckets,
  diffRollouts,
  type Finding,
  findTies,
  findUnmatched,
  type RevisionCount,
  sameRollouts,
} from "#libs/rollouts";
import {
  type MoveRisk,
  type RenderedWorkloadReason,
  renderWorkloadReason,
  type SkippedFor,
  wordFinding,
} from "#libs/wording";

import { rolloutsPath, settingsPath } from "../main/index.ts";
import { dropAbsent, type ClusterSnapshot, nameInFleet, type RunRecord, type Spec } from "../records/index.ts";
import { createOwnership, isInPlace, type JudgedWorkload, type Ownership } from "../workloads/index.ts";
import { judgeCluster, nameRunningRevision } from "../index/index.ts";
import { type ClusterCounts, countClusters } from "./count-clusters.ts";
import { countListed, type ListedCounts } from "./count-listed.ts";
import { type Describing, listRisks } from "./move-risks.ts";

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
  /** Of a group of VMs, which has no pods. */
  readonly vms?: number;
  /** It runs the new revision already, or has no pods and the label is set: nothing will be done. */
  readonly isMigrated: boolean;
  /** Why it will be skipped. */
  readonly skipped?: SkippedFor;
  /** Why its owner may notice. */
  readonly risks: readonly MoveRisk[];
  /** It is none of the run's workloads: only the label of its namespace affects it. */
  readonly neighbour?: true;
}

export interface BucketCounts {
  readonly bucket: string;
  /** Managed namespaces of the bucket after the change. */
  readonly namespaces: number;
  readonly moves: number;
  /** Moves away from a revision whose share of the bucket did not fall: 0 in a ramp. */
  readonly back: number;
  /** Its namespaces by revision, by the file before and after. */
  readonly revisions: readonly RevisionCount[];
  /** Its namespaces by the revision that they run now, sorted; those in transition are left out. */
  readonly running: readonly { readonly revision: string; readonly namespaces: number }[];
}

/** The effect of a change of the file on this fleet: for people, and for the list that is carried out. */
export interface Proposal {
  readonly moves: readonly Move[];
  /** Managed namespaces of the fleet. */
  readonly namespaces: number;
  /** Their names, sorted. */
  readonly names: readonly string[];
  readonly clusters: readonly ClusterCounts[];
  readonly buckets: readonly BucketCounts[];
  /** The workloads that its run will have. */
  readonly counts: ListedCounts;
  /** The fewest moves with the same counts. */
  readonly fewestPossible: number;
  /** The errors against merging it: MR1007 for a namespace of the fleet, MR1106 for a change that moves nothing. */
  readonly findings: readonly Finding[];
  /** MR1022 and MR3012, as warnings: patterns after the change that match no namespace of the fleet, or name no bucket. */
  readonly idlePatterns: readonly Finding[];
}

function pickSkipped({ message, at, until }: RenderedWorkloadReason): SkippedFor {
  return { message, ...dropAbsent({ at, until }) };
}

function describeWorkload(each: JudgedWorkload, by: Describing): MovedWorkload {
  const { state, cluster, key, workload } = each;
  const described = {
    cluster,
    workload: key,
    ...(workload.kind === "WorkloadGroup" ? { pods: 0, vms: workload.replicas } : { pods: workload.replicas }),
    isMigrated: isInPlace(state),
    risks: listRisks(each, by),
  };
  return state.kind === "skipped"
    ? { ...described, skipped: pickSkipped(renderWorkloadReason(state.reason)) }
    : described;
}

/** A workload that is not moved although its namespace's label changes. */
function describeTouched(
  each: JudgedWorkload,
  target: string,
  gateways: GatewayPolicy,
  isManaged: (cluster: string, workload: string) => boolean,
): readonly MovedWorkload[] {
  return (each.touched ?? []).map(({ kind, name = "…", pods, as, reason: because }) => {
    const isHeld = (as === "gateway" || as === "managedGateway") && gateways === "hold";
    const moved = dropAbsent({ because });
    const reason =
      as === "managedGateway"
        ? ({ code: "RolledByIstiod", target } as const)
        : ({ code: "NotRestarted", target, pods, ...moved } as const);
    const workload = `${each.workload.namespace}/${kind}/${name}`;
    return {
      cluster: each.cluster,
      workload,
      pods,
      isMigrated: false,
      skipped: pickSkipped(renderWorkloadReason(isHeld ? { code: "Gateway" } : reason)),
      risks: [],
      ...(isManaged(each.cluster, workload) ? {} : { neighbour: true as const }),
    };
  });
}

/** A namespace's workloads, and once for each cluster the others that its label affects. */
function describeAll(group: readonly JudgedWorkload[], target: string, by: Describing): readonly MovedWorkload[] {
  const seen = new Set<string>();
  const own = new Set(group.map(({ cluster, key }) => nameInFleet(cluster, key)));
  const isManaged = (cluster: string, workload: string) => own.has(nameInFleet(cluster, workload));
  const touched = group.flatMap((each) => {
    const isFirst = each.touched !== undefined && !seen.has(each.cluster);
    if (isFirst) seen.add(each.cluster);
    return isFirst ? describeTouched(each, target, by.head.settings.gateways, isManaged) : [];
  });
  const names = new Set(touched.map(({ cluster, workload }) => nameInFleet(cluster, workload)));
  const others = group.filter((each) => !names.has(nameInFleet(each.cluster, each.key)));
  return [...others.map((each) => describeWorkload(each, by)), ...touched];
}

function groupManaged(judged: readonly JudgedWorkload[]): ReadonlyMap<string, readonly JudgedWorkload[]> {
  const groups = new Map<string, JudgedWorkload[]>();
  for (const each of judged) {
    if (each.state.kind === "unmanaged") continue;
    const group = groups.get(each.workload.namespace) ?? [];
    group.push(each);
    groups.set(each.workload.namespace, group);
  }
  return groups;
}

/** The revisions that run, by bucket of the present file. */
function countRunning(
  { resolver }: Spec,
  groups: ReadonlyMap<string, readonly JudgedWorkload[]>,
): (pattern: string) => BucketCounts["running"] {
  const counts = new Map<string, Map<string, number>>();
  for (const [namespace, managed] of groups) {
    const { bucket, revision: desired } = resolver.resolve(namespace);
    const revision = nameRunningRevision(managed, desired);
    if (revision === undefined) continue;
    const own = counts.get(bucket.pattern) ?? new Map<string, number>();
    counts.set(bucket.pattern, own.set(revision, (own.get(revision) ?? 0) + 1));
  }
  return (pattern) =>
    [...(counts.get(pattern) ?? [])]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([revision, namespaces]) => ({ revision, namespaces }));
}

/** Patterns that match nothing, as far as all clusters are seen, and buckets in settings that do not exist. */
export function findIdlePatterns(head: Spec, clusters: readonly FleetCluster[]): readonly Finding[] {
  const { rollouts, campaigns, settings } = head;
  const missing = checkBuckets(settings, rollouts, settingsPath);
  const names = [...new Set(clusters.flatMap(({ namespaces }) => [...namespaces.keys()]))];
  if (names.length === 0 || clusters.some(({ fresh }) => !fresh)) return missing;
  return [...missing, ...findUnmatched(rollouts, names), ...findIdleExclusions(campaigns.values(), names)];
}

type FleetCluster = Pick<ClusterSnapshot, "namespaces" | "fresh">;

/** Rules 1.6 and 1.8: errors at `plan` although the file parses. */
function listFindings(before: Spec, after: Spec, namespaces: readonly string[], moves: number): readonly Finding[] {
  const ties = [...checkSeed(before, after, settingsPath), ...findTies(after.rollouts, namespaces)];
  // A new seed alone moves nothing where it is allowed (MR2008), which is no error.
  if (moves > 0 || sameRollouts(before.rollouts, after.rollouts)) return ties;
  const changed = changedBuckets(before.rollouts, after.rollouts)[0];
  const place = after.rollouts.buckets.find((bucket) => bucket.pattern === changed);
  const { line, column } = place ?? { line: 1, column: 1 };
  return [
    ...ties,
    { code: "MR1106", severity: "error", file: rolloutsPath, line, column, ...wordFinding({ code: "MovesNothing" }) },
  ];
}

type OwnerOf = (namespace: string) => Ownership;

const proposed = new WeakMap<Spec, Map<string, OwnerOf>>();

/**
 * Ownership as if the merge's run existed, so that its campaign's exclusions apply. The same function for the same file, so
 * that judgements are reused.
 */
function ownAsProposed(after: Spec, belonging: Belonging): OwnerOf {
  const key = `${belonging.campaign ?? ""}/${belonging.stage ?? ""}`;
  const known = proposed.get(after) ?? new Map<string, OwnerOf>();
  proposed.set(after, known);
  const noRun = { id: "", commit: "", before: "", order: 0, startedAt: "", author: "", subject: "" };
  const run: RunRecord = { ...noRun, buckets: [], changes: [], clusters: {}, state: "open", ...belonging };
  const ownerOf = known.get(key) ?? ((name) => ({ desired: after.resolver.resolve(name).revision, run }));
  known.set(key, ownerOf);
  return ownerOf;
}

type Belonging = Pick<RunRecord, "campaign" | "stage">;

/**
 * Compares two versions of the file over the fleet: what moves, where, how many, at what risk; with the campaign and stage of
 * its run. Writes nothing.
 */
export function proposeMoves(
  before: Spec,
  after: Spec,
  clusters: Iterable<ClusterSnapshot>,
  now: number,
  belonging: Belonging = {},
): Proposal {
  const ownerOf =
    belonging.campaign === undefined ? createOwnership(after, undefined, new Map()) : ownAsProposed(after, belonging);
  const fleet = [...clusters];
  const describing = { head: after, factsOf: new Map(fleet.map(({ name, facts }) => [name, facts])) };
  const judged = fleet.flatMap((cluster) =>
    judgeCluster({ cluster, head: after, ownerOf, now, waitingSince: new Map() }),
  );
  const groups = groupManaged(judged);
  const namespaces = [...groups.keys()].toSorted();
  const diff = diffRollouts(before.resolver, after.resolver, namespaces);
  const moves = diff.moves.map((move) => ({
    ...move,
    workloads: describeAll(groups.get(move.namespace) ?? [], move.to, describing),
  }));
  const running = countRunning(before, groups);
  return {
    moves,
    namespaces: groups.size,
    names: namespaces,
    clusters: countClusters(moves),
    buckets: diff.perBucket.map(({ bucket, ...counts }) => ({
      bucket: bucket.pattern,
      namespaces: counts.namespaces,
      moves: counts.moves,
      back: counts.back,
      revisions: counts.revisions,
      running: running(bucket.pattern),
    })),
    counts: countListed(moves),
    fewestPossible: diff.fewestPossible,
    findings: listFindings(before, after, namespaces, moves.length),
    idlePatterns: findIdlePatterns(after, fleet),
  };
}
