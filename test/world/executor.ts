import type { Settings } from "#libs/campaign";
import type { Workload } from "#libs/fleet";
import {
  type BatchItem,
  type ClusterWorld,
  createOwnership,
  type ExecutorWorld,
  type JobFacts,
  judgeCluster,
  type LedgerState,
  type Spec,
  type WorkloadStanding,
} from "#libs/plan";

import { makeCluster, makeLedger, makeRun, makeSpec, noon, runId, sha } from "./build.ts";

/** What an executor sees, and where the workloads of its cluster stand by it. */
export interface Sight {
  readonly world: ExecutorWorld;
  readonly judged: readonly WorkloadStanding[];
}

/** The ledger of `makeWorld`: the run of commit `head` is open in cluster `one`. */
export function openRunLedger(change: Partial<LedgerState> = {}): LedgerState {
  const head = sha("head");
  return makeLedger({ main: head, judged: head, runs: { [runId]: makeRun(head, sha("base")) }, ...change });
}

/** Main's head gives `percentNew` to `new`, with these settings. */
export function specsOf(percentNew = 100, settings: Partial<Settings> = {}): ReadonlyMap<string, Spec> {
  const [base, head] = [sha("base"), sha("head")];
  return new Map([
    [base, makeSpec(base, 0)],
    [head, makeSpec(head, percentNew, settings)],
  ]);
}

export interface SightChange extends Partial<Omit<ExecutorWorld, "cluster">> {
  readonly cluster?: ClusterWorld;
  readonly workloads?: readonly Workload[];
  readonly settings?: Partial<Settings>;
  readonly percentNew?: number;
  readonly now?: number;
}

/** An executor that may move: control fresh, main new, nothing stopped, nothing rolling but what the workloads say. */
export function makeSight(change: SightChange = {}): Sight {
  const { workloads = [], settings = {}, percentNew = 100, now = noon, ...rest } = change;
  const specs = specsOf(percentNew, settings);
  const head = specs.get(sha("head"));
  const ledger = "ledger" in change ? change.ledger : openRunLedger();
  const cluster = change.cluster ?? makeCluster("one", workloads);
  const judged =
    head === undefined
      ? []
      : judgeCluster({ cluster, head, ownerOf: createOwnership(head, ledger, specs), now, waitingSince: new Map() });
  const rolling = new Set(judged.filter((each) => each.rolling).map(({ key }) => key));
  const world = { control: "fresh" as const, mainAgeMs: 0, head, stops: [], judged, rolling, ...rest, ledger, cluster };
  return { world, judged };
}

/** The job of `makeWorld`'s run. */
export function makeJob(change: Partial<JobFacts> = {}): JobFacts {
  const commit = sha("head");
  return { run: runId, commit, clusterUid: "kube-system-of-one", isContained: true, holdsLock: true, ...change };
}

export function makeItem({ namespace, kind, name, uid }: Workload, change: Partial<BatchItem> = {}): BatchItem {
  return { namespace, kind, name, uid, target: "new", attempt: 1, unhealthyBefore: false, ...change };
}
