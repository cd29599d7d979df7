import type { Reason } from "#libs/wording";

import type { JudgedWorkloads } from "../index/index.ts";
import { findRevisionObstacle, findRollbackObstacle } from "../conditions/index.ts";
import type { Batch, BatchItem, Due } from "../records/index.ts";
import { type ActiveStop, type Subject } from "../stops/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";
import type { Mover, RoomFacts } from "./room/measure-room.ts";

/** The facts for choosing the batch of one run in one cluster. */
export interface BatchInput extends RoomFacts, Omit<Mover, "isRollback"> {
  readonly stops: readonly ActiveStop[];
  /** Every workload of this cluster: rolling ones count, whichever run moved them (rules 4.2). */
  readonly judged: JudgedWorkloads;
  /** Workloads whose rollback the API server refused lately; left out until they are due again. Absent = none. */
  readonly refused?: ReadonlySet<string>;
}

export type BatchChoice =
  | { readonly kind: "batch"; readonly batch: Batch; readonly reason: Reason }
  | { readonly kind: "wait"; readonly run: string; readonly reason: Reason }
  | { readonly kind: "nothing" };

/** Nothing moves for the run, and why. */
export function wait(run: string, reason: Reason): BatchChoice {
  return { kind: "wait", run, reason };
}

/** The subject that the scopes of stops are matched with. */
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

/** Upper limit of workloads in one job; the rest follows with the next job. */
export const mostInBatch = 1000;

/** The batch of these workloads. */
export function makeBatch(input: BatchInput, due: Due, chosen: readonly JudgedWorkload[]): Batch {
  return {
    cluster: input.cluster.name,
    clusterUid: input.cluster.facts.uid,
    run: input.run.id,
    due,
    // From its deadline on, `OnDeploy` moves as `Batched` does.
    strategy: input.settings.strategy === "Window" ? "Window" : "Batched",
    items: chosen.map(makeItem),
  };
}

/** Why one of these workloads may not be moved to its revision in this cluster: the first obstacle (rules 4.5). */
export function findRevisionWait(input: BatchInput, chosen: readonly JudgedWorkload[]): BatchChoice | undefined {
  for (const { desired, rollbackSince } of chosen) {
    const find = rollbackSince === undefined ? findRevisionObstacle : findRollbackObstacle;
    const reason = find(input.cluster.facts, desired);
    if (reason !== undefined) return wait(input.run.id, reason);
  }
  return undefined;
}
