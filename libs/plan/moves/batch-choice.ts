import type { Settings } from "#libs/campaign";
import type { Reason } from "#libs/wording";

import type { ClusterIndex, RunView } from "../index/index.ts";
import { findRevisionObstacle, findRollbackObstacle } from "../conditions/index.ts";
import type { Batch, BatchItem, ClusterSnapshot, Spec } from "../records/index.ts";
import { type ActiveStop, type Subject } from "../stops/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";

/** Everything the choice for one cluster looks at. */
export interface BatchInput {
  readonly now: number;
  readonly cluster: ClusterSnapshot;
  /** What the run in question moves by. */
  readonly settings: Settings;
  readonly head: Spec;
  readonly stops: readonly ActiveStop[];
  /** Served runs, oldest first. */
  readonly views: readonly RunView[];
  /** Every workload of this cluster: what rolls counts, whichever run moved it (rules 4.2). */
  readonly judged: ClusterIndex;
  /** By run: forward moves of these wait, and were named as waits already. */
  readonly held: ReadonlyMap<string, Reason>;
  /** Main does not parse, or the ledger cannot be pushed: only rollbacks go on (rules 2.4, 8.2). */
  readonly onlyRollbacks: boolean;
}

export type BatchChoice =
  | { readonly kind: "batch"; readonly batch: Batch; readonly reason: Reason }
  | { readonly kind: "wait"; readonly run: string; readonly reason: Reason }
  | { readonly kind: "nothing" };

/** Nothing is handed out for the run, and why. */
export function wait(run: string, reason: Reason): BatchChoice {
  return { kind: "wait", run, reason };
}

/** What a stop's scope is matched with. */
export function describeSubject(each: JudgedWorkload, run: string): Subject {
  const { cluster, bucket, rollbackSince } = each;
  const subject = { cluster, run, campaign: each.run?.campaign, namespace: each.workload.namespace, bucket };
  return rollbackSince === undefined ? subject : { ...subject, rollbackSince };
}

function makeItem(each: JudgedWorkload): BatchItem {
  const { namespace, kind, name, uid } = each.workload;
  const state = each.state;
  const isDue = state.kind === "pending";
  return {
    namespace,
    kind,
    name,
    uid,
    target: each.desired,
    attempt: isDue ? state.attempt : 1,
    unhealthyBefore: isDue && state.unhealthyBefore,
  };
}

/** One job carries no more: what is left over follows at once with the next. */
export const mostInBatch = 1000;

/** The job for these workloads. */
export function makeBatch(input: BatchInput, { run }: RunView, chosen: readonly JudgedWorkload[]): Batch {
  return {
    cluster: input.cluster.name,
    clusterUid: input.cluster.facts.uid,
    run: run.id,
    commit: run.commit,
    strategy: input.settings.strategy,
    items: chosen.map(makeItem),
  };
}

/** Why none of these may be moved to its revision in this cluster: the first obstacle (rules 4.5). */
export function findRevisionWait(
  input: BatchInput,
  run: string,
  chosen: readonly JudgedWorkload[],
): BatchChoice | undefined {
  for (const { desired, rollbackSince } of chosen) {
    const find = rollbackSince === undefined ? findRevisionObstacle : findRollbackObstacle;
    const reason = find(input.cluster.facts, desired);
    if (reason !== undefined) return wait(run, reason);
  }
  return undefined;
}
