import { lookUp } from "#libs/input";
import { type RenderedWorkloadReason, renderWorkloadReason } from "#libs/wording";

import { collectForgiven } from "../conditions/index.ts";
import {
  countLeft,
  type Evaluation,
  type FailedWorkload,
  listFailed,
  listFailures,
  type RunView,
} from "../index/index.ts";
import { settingsOf } from "../main/index.ts";
import { dropAbsent, nameInFleet, type Snapshot, type Spec } from "../records/index.ts";
import { countTolerated } from "../workloads/index.ts";
import { isRolledBack } from "./status-undo.ts";
import { mostListed } from "./status-runs.ts";

/** A failed workload and its failure. */
export interface FailureItem extends RenderedWorkloadReason {
  /** `cluster:namespace/Kind/name`. */
  readonly workload: string;
  /** The revision that it did not reach. */
  readonly revision: string;
  /** The run in which it failed. */
  readonly run?: string;
  readonly campaign?: string;
}

/**
 * Failed workloads that were not dealt with (`listFailed`), on all surfaces. A resume accepts failures without dealing with
 * them: the workloads stay where they are.
 */
export interface FailureStatus {
  readonly count: number;
  /** Of `count`: not counted by an open run; absent = none, or no run is open. */
  readonly earlier?: number;
  /** By name, over all clusters. */
  readonly namespaces: number;
  /** The first hundred. */
  readonly items: readonly FailureItem[];
}

/** Failures of a campaign, and its limits; `allowed` and `left` are absent where there is none. */
export interface FailureBudget extends FailureStatus {
  /** Of `count`: those of open runs that no resume accepted. They count against `allowed`. */
  readonly counted: number;
  readonly allowed?: number;
  readonly left?: number;
  /** Of `count`, by run: those of runs that are over, which a retry of that run moves. Newest run first; absent = none. */
  readonly notRetried?: readonly EarlierFailures[];
}

/** Failures that the end of a run left. */
export interface EarlierFailures {
  readonly run: string;
  readonly stage?: string;
  readonly count: number;
}

/** One failure of the fleet. */
export interface Failure {
  readonly item: FailureItem;
  readonly failed: FailedWorkload;
}

/** The campaign of its move: its run's; for a run that the ledger no longer has, the one with that revision as target. */
function nameCampaign(
  { run = "", judged }: FailedWorkload,
  head: Spec,
  { ledger }: Pick<Snapshot, "ledger">,
): string | undefined {
  const record = lookUp(ledger?.runs, run);
  if (record !== undefined) return record.campaign;
  const { bucket, desired } = judged;
  const asking = [...head.campaigns.values()].find(
    ({ target, stages }) => target === desired && stages.some(({ set }) => Object.hasOwn(set, bucket)),
  );
  return judged.run?.campaign ?? asking?.name;
}

/** Every failure of the fleet, in the order of clusters and workloads; all counts are made from this list. */
export function listFleetFailures(
  { judged }: Pick<Evaluation, "judged">,
  head: Spec,
  snapshot: Pick<Snapshot, "ledger">,
): readonly Failure[] {
  return listFailed(judged).flatMap((failed) => {
    const { state, desired, key, cluster } = failed.judged;
    if (state.kind !== "skipped") return [];
    const campaign = nameCampaign(failed, head, snapshot);
    const item = {
      workload: nameInFleet(cluster, key),
      ...renderWorkloadReason(state.reason),
      revision: desired,
      ...(failed.run === undefined ? {} : { run: failed.run }),
      ...(campaign === undefined ? {} : { campaign }),
    };
    return [{ item, failed }];
  });
}

/** `views`: the open runs, of which each counts its own. */
export function describeFailures(failures: readonly Failure[], views: readonly RunView[]): FailureStatus {
  const open = new Set(views.map(({ run }) => run.id));
  const earlier = failures.filter(({ failed: { judged } }) => !open.has(judged.run?.id ?? "")).length;
  return {
    count: failures.length,
    ...(open.size === 0 || earlier === 0 ? {} : { earlier }),
    namespaces: new Set(failures.map(({ failed }) => failed.judged.workload.namespace)).size,
    items: failures.slice(0, mostListed).map(({ item }) => item),
  };
}

/** The remaining limit of a campaign's open runs; a rollback has none (rules 2.3). */
function measureLimit(views: readonly RunView[], head: Spec, ledger: Snapshot["ledger"]): number | undefined {
  const newest = views.findLast((view) => !isRolledBack(view, { ledger }));
  const tolerated = newest && countTolerated(settingsOf(head, newest.run).batch, countLeft(newest).total);
  return tolerated !== undefined && Number.isFinite(tolerated) ? tolerated : undefined;
}

/** Failures of runs that are over, by run. */
function listEarlier(failures: readonly Failure[], ledger: Snapshot["ledger"]): readonly EarlierFailures[] {
  const ended = failures.flatMap(({ item }) => {
    const record = lookUp(ledger?.runs, item.run ?? "");
    return record === undefined || record.state === "open" ? [] : [record];
  });
  return [...Map.groupBy(ended, (record) => record)]
    .toSorted(([a], [b]) => b.order - a.order)
    .map(([{ id, stage }, own]) => ({ run: id, ...dropAbsent({ stage }), count: own.length }));
}

/** Failures of one campaign, against its settings' limits (rules 3.3). */
export function describeBudget(
  failures: readonly Failure[],
  views: readonly RunView[],
  head: Spec,
  { ledger }: Pick<Snapshot, "ledger">,
): FailureBudget {
  const allowed = measureLimit(views, head, ledger);
  const counted = views.reduce((sum, view) => {
    const accepted = ledger === undefined ? new Set<string>() : collectForgiven(ledger, view.run.id);
    return sum + listFailures(view, accepted).workloads.length;
  }, 0);
  const bounds = allowed === undefined ? {} : { allowed, left: Math.max(0, allowed - counted) };
  const notRetried = listEarlier(failures, ledger);
  return {
    ...describeFailures(failures, views),
    counted,
    ...bounds,
    ...(notRetried.length === 0 ? {} : { notRetried }),
  };
}
