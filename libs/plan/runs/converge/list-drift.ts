import { coversOneOf, type StopScope } from "#libs/input";
import { readAnnotations } from "#libs/fleet";

import type { Evaluation } from "../../index/index.ts";
import { findClusterObstacle } from "../../conditions/index.ts";
import { listStagesOfBuckets } from "../../main/index.ts";
import { type LedgerState, nameInFleet, type Snapshot, type Spec } from "../../records/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import { readMark } from "../taken-back.ts";

/** A workload that differs from main, belongs to no run, and that a converging run would move. */
export interface Drift {
  readonly judged: JudgedWorkload;
  /** The unfinished campaign of its bucket; absent = none. */
  readonly campaign?: string;
  /** The names for a run's record, with the ended tries: the workload, and its whole namespace where that moves as a unit. */
  readonly names: Readonly<Record<string, number>>;
}

/** The facts for finding drift. */
export interface DriftBasis {
  readonly snapshot: Snapshot;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly evaluation: Evaluation;
}

/** Our tries that its owner's write ended. */
function countAttempts(object: Parameters<typeof readAnnotations>[0]): number {
  return readAnnotations(object)?.run?.attempt ?? 0;
}

/**
 * Ended tries; undefined for a workload that stays as it is: failures wait for a person's `retry`, pins and exclusions are its
 * owner's wish, and a tag is moved by its owner.
 */
function countTries({ state, workload }: JudgedWorkload): number | undefined {
  switch (state.kind) {
    case "pending":
      return 0;
    case "waiting":
      return state.reason.code === "TagNotMoved" ? undefined : 0;
    case "skipped":
      return state.reason.code === "Overwritten" ? countAttempts(workload) : undefined;
    case "unmanaged":
    case "migrated":
    case "idle":
    case "migrating":
      return undefined;
  }
}

/** Whether a converging run would move it, where it is drift. */
export function canConverge(each: JudgedWorkload): boolean {
  return countTries(each) !== undefined;
}

function nameDrift(each: JudgedWorkload, tries: number): Drift["names"] {
  const { cluster, key, site, inventory } = each;
  const own = { [nameInFleet(cluster, key)]: tries };
  if (site.kind !== "namespace") return own;
  const { namespace } = inventory;
  return { ...own, [nameInFleet(cluster, `${namespace.name}/*`)]: countAttempts(namespace) };
}

function isCovered(scope: StopScope, each: JudgedWorkload, campaigns: readonly string[]): boolean {
  const { cluster, bucket, workload } = each;
  const writer = readMark(workload)?.run;
  return coversOneOf(scope, {
    cluster: [cluster],
    namespace: [workload.namespace],
    bucket: [bucket],
    campaign: campaigns,
    run: writer === undefined ? [] : [writer],
  });
}

/** The unfinished campaigns of each bucket. */
function rememberCampaigns(head: Spec): (bucket: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (bucket) => {
    const campaigns = known.get(bucket) ?? listStagesOfBuckets(head, [bucket]).map(({ campaign }) => campaign);
    known.set(bucket, campaigns);
    return campaigns;
  };
}

/** Whether the cluster is seen, ours, and not excluded, so that its drift could be moved. */
function getsWork({ snapshot, head }: DriftBasis, name: string): boolean {
  const cluster = snapshot.clusters.get(name);
  const isExcluded = head.settings.excludedClusters.includes(name);
  return cluster !== undefined && !isExcluded && findClusterObstacle(cluster) === undefined;
}

/** Drift in a scope, in the order of clusters and names; `run/ID` means what that run wrote last. */
export function listDriftCandidates(basis: DriftBasis, scope: StopScope): readonly Drift[] {
  const campaignsOf = rememberCampaigns(basis.head);
  const served = [...basis.evaluation.judged].filter(([name]) => getsWork(basis, name));
  return served.flatMap(([, index]) =>
    [...index.list("drift")].flatMap((judged): readonly Drift[] => {
      const [tries, campaigns] = [countTries(judged), campaignsOf(judged.bucket)];
      if (tries === undefined || campaigns.length > 1 || !isCovered(scope, judged, campaigns)) return [];
      const [campaign] = campaigns;
      return [{ judged, names: nameDrift(judged, tries), ...(campaign === undefined ? {} : { campaign }) }];
    }),
  );
}
