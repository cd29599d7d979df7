import { lacksPods } from "#libs/fleet";
import { changedBuckets, sameRollouts } from "#libs/rollouts";

import {
  type ClusterSnapshot,
  type LedgerState,
  nameWorkload,
  type OpenedCluster,
  printTime,
  type RunRecord,
  type Snapshot,
  type Spec,
  type SpecPoint,
} from "../records/index.ts";
import { judgeChanges } from "../main/index.ts";
import { findBelonging } from "./belonging.ts";

/** The digits of the commit in a run's id (rules 1.1). */
const runIdLength = 12;

/** The meaning of main's next unjudged commit. */
export type Discovery =
  | { readonly kind: "run"; readonly run: RunRecord; readonly point: SpecPoint; readonly judged: string }
  /** It parses and changes no distribution: it is only judged. */
  | { readonly kind: "nothing"; readonly judged: string }
  /** It does not parse: everything stops until a later commit does (rules 1.7). */
  | { readonly kind: "unparsable"; readonly point: Extract<SpecPoint, { readonly findings: unknown }> };

/** Rules 1.1: a run is a commit after which the parsed file (patterns, revisions with weight, weights) or the seed differs. */
function isRun(before: Spec, after: Spec): boolean {
  return before.settings.seed !== after.settings.seed || !sameRollouts(before.rollouts, after.rollouts);
}

/** Opens a cluster's wave: records which workloads were unhealthy before. */
export function openCluster(cluster: ClusterSnapshot, now: number): OpenedCluster {
  const unhealthyBefore: string[] = [];
  for (const inventory of cluster.namespaces.values()) {
    for (const workload of inventory.workloads) if (lacksPods(workload)) unhealthyBefore.push(nameWorkload(workload));
  }
  return { openedAt: printTime(now), uid: cluster.facts.uid, unhealthyBefore: unhealthyBefore.toSorted() };
}

function nameBuckets(before: Spec, after: Spec): readonly string[] {
  if (before.settings.seed !== after.settings.seed) return after.rollouts.buckets.map((bucket) => bucket.pattern);
  return changedBuckets(before.rollouts, after.rollouts);
}

/**
 * The oldest unjudged commit that matters: commits that do not parse are skipped when a later one does (which is compared with
 * the last that parsed), and consecutive commits without changes are judged together.
 */
export function discoverNext(snapshot: Snapshot, ledger: LedgerState): Discovery | undefined {
  const before = snapshot.specs.get(ledger.judged);
  if (before === undefined) return undefined;
  let quiet: string | undefined;
  let unparsable: readonly string[] = [];
  for (const point of snapshot.main.points) {
    const together = new Set([...unparsable, point.commit.sha]);
    unparsable = "spec" in point ? [] : [...together];
    if (!("spec" in point)) continue;
    if (!isRun(before, point.spec)) {
      quiet = point.commit.sha;
      continue;
    }
    const order = Math.max(0, ...Object.values(ledger.runs).map((run) => run.order)) + 1;
    const changes = judgeChanges(ledger, before, point.spec);
    const run: RunRecord = {
      id: point.commit.sha.slice(0, runIdLength),
      commit: point.commit.sha,
      before: ledger.judged,
      order,
      startedAt: "",
      author: point.commit.author,
      subject: point.commit.subject,
      buckets: nameBuckets(before, point.spec),
      changes,
      ...findBelonging(ledger, point.spec, changes, together),
      ...(before.settings.seed === point.spec.settings.seed ? {} : { reseeded: true as const }),
      clusters: {},
      state: "open",
    };
    return { kind: "run", run, point, judged: point.commit.sha };
  }
  const last = snapshot.main.points.at(-1);
  if (last !== undefined && !("spec" in last)) return { kind: "unparsable", point: last };
  return quiet === undefined ? undefined : { kind: "nothing", judged: quiet };
}
