import { explainFailedJob, explainForcedPush, planner, printStopCause } from "#libs/wording";

import {
  type BatchFacts,
  type Decision,
  type LedgerDecision,
  type LedgerState,
  printTime,
  type Snapshot,
  type Spec,
  type StopRecord,
} from "../records/index.ts";
import { countTolerated } from "../workloads/index.ts";
import { settingsOf } from "../main/index.ts";
import { countLeft, listFailures, type RunView } from "../index/index.ts";
import { listRecordedStops, numberNextStop } from "../stops/index.ts";
import { placeStop } from "../transitions/index.ts";
import { findOtherUid } from "./cluster-identity.ts";

/** Stops everything when main no longer contains the recorded head, until a person resumes it (rules 1.7). */
export function stopOnForcedPush(snapshot: Snapshot, ledger: LedgerState): Decision | undefined {
  if (snapshot.main.contained) return undefined;
  const isRecorded = listRecordedStops(ledger).some((stop) => stop.cause === "forcedPush");
  const was = ledger.main.slice(0, 12);
  if (!isRecorded) {
    // The sequence distinguishes this stop from an earlier, ended one for a push to the same head.
    const id = `forced-push-${snapshot.main.head.slice(0, 12)}-${ledger.sequence}`;
    const at = printTime(snapshot.now);
    return placeStop(snapshot, ledger, {
      id,
      scope: "all",
      strength: "move",
      at,
      who: planner,
      why: explainForcedPush(was),
      cause: "forcedPush",
    });
  }
  return { kind: "wait", scope: "all", reason: { code: "MainRewritten", was } };
}

/** Stops a cluster with another UID than when its wave opened (rules 9.1), as with a swapped kubeconfig context. */
export function stopOnOtherCluster(
  snapshot: Snapshot,
  ledger: LedgerState,
  views: readonly RunView[],
): LedgerDecision | undefined {
  for (const { run } of views) {
    for (const cluster of snapshot.clusters.values()) {
      const opened = findOtherUid(cluster.facts, [run]);
      if (opened === undefined) continue;
      const scope = `cluster/${cluster.name}` as const;
      if (listRecordedStops(ledger).some((stop) => stop.scope === scope && stop.cause === "otherCluster")) continue;
      const why = printStopCause({ code: "OtherCluster", cluster: cluster.name, found: cluster.facts.uid, opened });
      const id = `other-cluster-${cluster.name}-${ledger.sequence}`;
      const at = printTime(snapshot.now);
      return placeStop(snapshot, ledger, { id, scope, strength: "move", at, who: planner, why, cause: "otherCluster" });
    }
  }
  return undefined;
}

/** Failures named by an ended stop of this run: a person has seen them, and they do not count again (rules 3.3). */
export function collectForgiven(ledger: LedgerState, run: string): ReadonlySet<string> {
  const resumed = Object.values(ledger.stops).filter(
    (stop) => stop.resume !== undefined && stop.scope === `run/${run}`,
  );
  return new Set(resumed.flatMap((stop) => stop.failures ?? []));
}

/** FailFast and maxFailures stop `run/<id>` in all clusters (rules 3.3). */
export function stopOnFailures(
  snapshot: Snapshot,
  ledger: LedgerState,
  head: Spec,
  views: readonly RunView[],
): LedgerDecision | undefined {
  for (const view of views) {
    const scope = `run/${view.run.id}` as const;
    if (listRecordedStops(ledger).some((stop) => stop.scope === scope && stop.cause === "failures")) continue;
    const failures = listFailures(view, collectForgiven(ledger, view.run.id));
    const { batch } = settingsOf(head, view.run);
    const tolerated = countTolerated(batch, countLeft(view).total);
    if (failures.workloads.length <= tolerated) continue;
    const isFailFast = batch.maxFailures === undefined;
    const stop: StopRecord = {
      id: `failures-${view.run.id}-${numberNextStop(ledger, scope)}`,
      scope,
      strength: "move",
      at: printTime(snapshot.now),
      who: planner,
      why: printStopCause({ code: "TooManyFailures", failures: failures.objects, tolerated, isFailFast }),
      cause: "failures",
      failures: failures.objects,
    };
    return placeStop(snapshot, ledger, stop);
  }
  return undefined;
}

function drop(cluster: string, { run, reason }: BatchFacts): Decision {
  return { kind: "dropBatch", cluster, reason: { code: "JobFailed", cluster, run, why: reason } };
}

/** Whether a stop names the failed job. */
function hasJobStop(ledger: LedgerState, cluster: string): boolean {
  return listRecordedStops(ledger).some(({ scope, cause }) => scope === `cluster/${cluster}` && cause === "jobFailed");
}

/**
 * Jobs to remove from queues: foreign ones, which stop nothing, and failed ones once a stop names them (rules 4.1). A job that
 * cannot be removed delays its own cluster only.
 */
export function dropJobs(snapshot: Snapshot, ledger: LedgerState): readonly Decision[] {
  return [...snapshot.clusters.values()].flatMap(({ name, batch }): readonly Decision[] => {
    if (batch?.state === "failed" && hasJobStop(ledger, name)) return [drop(name, batch)];
    if (batch?.state !== "foreign") return [];
    return [{ kind: "dropBatch", cluster: name, reason: { code: "ForeignJob", cluster: name, why: batch.reason } }];
  });
}

/** A job that failed for good becomes a stop of its cluster (rules 4.1). */
export function stopOnFailedJob(snapshot: Snapshot, ledger: LedgerState): LedgerDecision | undefined {
  for (const cluster of snapshot.clusters.values()) {
    if (cluster.batch?.state !== "failed" || hasJobStop(ledger, cluster.name)) continue;
    const scope = `cluster/${cluster.name}` as const;
    const at = printTime(snapshot.now);
    const id = `job-${cluster.name}-${numberNextStop(ledger, scope)}`;
    const why = explainFailedJob({ run: cluster.batch.run, why: cluster.batch.reason });
    return placeStop(snapshot, ledger, { id, scope, strength: "move", at, who: planner, why, cause: "jobFailed" });
  }
  return undefined;
}

/**
 * While nothing can be recorded: failed jobs are dropped without a stop where a rollback is in force, because a broken job must
 * not block the cluster's queue. Elsewhere the job stays until the ledger can record its stop.
 */
export function dropFailedJobs(snapshot: Snapshot, views: readonly RunView[]): readonly Decision[] {
  return [...snapshot.clusters.values()].flatMap(({ name, batch }) => {
    const isRollingBack = views.some((view) => (view.clusters.get(name)?.count(["rollback"]) ?? 0) > 0);
    return batch?.state === "failed" && isRollingBack ? [drop(name, batch)] : [];
  });
}
