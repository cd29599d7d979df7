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
import { nameInFleet, type Snapshot, type Spec } from "../records/index.ts";
import { countTolerated } from "../workloads/index.ts";
import { isRolledBack } from "./status-undo.ts";

/** A workload that failed, and what it failed in. */
export interface FailureItem extends RenderedWorkloadReason {
  /** `cluster:namespace/Kind/name`. */
  readonly workload: string;
  /** The revision that it did not reach. */
  readonly revision: string;
  /** The run that failed it. */
  readonly run?: string;
  readonly campaign?: string;
}

/**
 * Workloads that failed and that no one dealt with (`listFailed`): what every surface calls failed. A resume accepts failures, and
 * deals with none: the workloads stay where they were.
 */
export interface FailureStatus {
  readonly count: number;
  /** By name, over all clusters. */
  readonly namespaces: number;
  /** The first hundred. */
  readonly items: readonly FailureItem[];
}

/** Failures of a campaign, and what is left of what its open runs may have; `allowed` and `left` are absent where nothing bounds them. */
export interface FailureBudget extends FailureStatus {
  /** Of `count`: those of the open runs that no resume accepted. They count against `allowed`. */
  readonly counted: number;
  readonly allowed?: number;
  readonly left?: number;
}

/** One failure of the fleet. */
export interface Failure {
  readonly item: FailureItem;
  readonly failed: FailedWorkload;
}

/** The campaign for which it moved: its run's; of a run that the ledger does not list any more, the one that asks for that revision. */
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

/** Every failure of the fleet, in the order of clusters and workloads: all counts are made from this list. */
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

/** A status travels over a bus that ends at 1 MiB. */
const shown = 100;

export function describeFailures(failures: readonly Failure[]): FailureStatus {
  return {
    count: failures.length,
    namespaces: new Set(failures.map(({ failed }) => failed.judged.workload.namespace)).size,
    items: failures.slice(0, shown).map(({ item }) => item),
  };
}

/** What the open runs of a campaign may still have; a rollback has no limit (rules 2.3). */
function measureLimit(views: readonly RunView[], head: Spec, ledger: Snapshot["ledger"]): number | undefined {
  const newest = views.findLast((view) => !isRolledBack(view, { ledger }));
  const tolerated = newest && countTolerated(settingsOf(head, newest.run).batch, countLeft(newest).total);
  return tolerated !== undefined && Number.isFinite(tolerated) ? tolerated : undefined;
}

/** Failures of one campaign, against what its settings allow (rules 3.3). */
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
  return { ...describeFailures(failures), counted, ...bounds };
}
