import { isRunId, type StopScope } from "#libs/input";
import { hashSeed } from "#libs/rollouts";
import { printConvergeSubject } from "#libs/wording";

import { listStagesOfBuckets } from "../../main/index.ts";
import {
  type ConvergeRecord,
  type LedgerState,
  printTime,
  type RunRecord,
  type Snapshot,
  type Spec,
} from "../../records/index.ts";
import { openCluster } from "../../transitions/index.ts";
import type { Drift } from "./list-drift.ts";

/** Who requests convergence, and why. */
export interface ConvergeOrder {
  /** The verb's id, or one made of the time: the same id gives runs with the same ids. */
  readonly id: string;
  readonly scope: StopScope;
  /** Some of the scope, `cluster:namespace/Kind/name` or `cluster:namespace/*`; absent = all of it. */
  readonly workloads?: readonly string[];
  readonly who: string;
  readonly why: string;
  readonly cause: ConvergeRecord["cause"];
}

function toHex(value: number): string {
  return value.toString(16).padStart(8, "0");
}

/** 12 hex digits, like any run's id, not used by any run. */
function nameRun(ledger: LedgerState, text: string): string {
  for (let round = 0; ; round++) {
    const id = `${toHex(hashSeed(`${round} ${text}`))}${toHex(hashSeed(`${text} ${round}`))}`.slice(0, 12);
    if (isRunId(id) && !Object.hasOwn(ledger.runs, id)) return id;
  }
}

/** The clusters' waves: all at once, or in a campaign's order. */
function placeClusters(
  snapshot: Snapshot,
  names: readonly string[],
  isOrdered: boolean,
): Pick<RunRecord, "clusters" | "expected"> {
  if (isOrdered) return { clusters: {}, expected: names };
  const opened = names.flatMap((name) => {
    const cluster = snapshot.clusters.get(name);
    return cluster === undefined ? [] : [[name, openCluster(cluster, snapshot.now)] as const];
  });
  return { clusters: Object.fromEntries(opened) };
}

function makeRun(
  snapshot: Snapshot,
  ledger: LedgerState,
  head: Spec,
  { id, scope, who, why, cause }: ConvergeOrder,
  [campaign, drift]: readonly [campaign: string | undefined, drift: readonly Drift[]],
): RunRecord {
  const buckets = [...new Set(drift.map(({ judged }) => judged.bucket))].toSorted();
  const stage = listStagesOfBuckets(head, buckets).find((each) => each.campaign === campaign)?.stage;
  const clusters = [...new Set(drift.map(({ judged }) => judged.cluster))].toSorted();
  return {
    id: nameRun(ledger, `${id} ${campaign ?? ""}`),
    commit: head.commit,
    before: head.commit,
    order: Math.max(0, ...Object.values(ledger.runs).map(({ order }) => order)),
    startedAt: printTime(snapshot.now),
    author: who,
    subject: printConvergeSubject({ scope, why }),
    buckets,
    changes: [],
    converge: { scope, cause, why },
    retried: Object.fromEntries(drift.flatMap(({ names }) => Object.entries(names))),
    ...placeClusters(snapshot, clusters, campaign !== undefined),
    ...(campaign === undefined ? {} : { campaign }),
    ...(stage === undefined ? {} : { stage }),
    state: "open",
  };
}

/** One run for each campaign with drift, and one for drift without a campaign, because a run belongs to one campaign (ADR 68). */
export function makeConvergingRuns(
  snapshot: Snapshot,
  ledger: LedgerState,
  head: Spec,
  order: ConvergeOrder,
  drift: readonly Drift[],
): readonly RunRecord[] {
  const parts = Map.groupBy(drift, ({ campaign }) => campaign);
  return [...parts].map((part) => makeRun(snapshot, ledger, head, order, part));
}
