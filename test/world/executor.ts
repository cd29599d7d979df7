import type { Settings } from "#libs/campaign";
import type { Workload } from "#libs/fleet";
import {
  type BatchItem,
  ClusterIndex,
  type ClusterSnapshot,
  createOwnership,
  type ExecutorSnapshot,
  type JobFacts,
  noWorkloads,
  type LedgerState,
  type Spec,
  type JudgedWorkloads,
  type JudgedWorkload,
} from "#libs/plan";

import { makeCluster, makeLedger, makeRun, makeSpec, noon, runId, sha } from "./build.ts";

/** What an executor reads, and the workloads of its cluster with their states. */
export interface ExecutorView {
  readonly snapshot: ExecutorSnapshot;
  readonly judged: readonly JudgedWorkload[];
}

/** The ledger of `makeSnapshot`: the run of commit `head` is open in cluster `one`. */
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

export interface ExecutorViewChange extends Partial<Omit<ExecutorSnapshot, "cluster" | "settings">> {
  readonly cluster?: ClusterSnapshot;
  readonly workloads?: readonly Workload[];
  readonly settings?: Partial<Settings>;
  readonly percentNew?: number;
  readonly now?: number;
}

interface Seen {
  readonly states: JudgedWorkloads;
  readonly judged: readonly JudgedWorkload[];
}

/** The state of every workload of a cluster by these files; empty while there are none. */
function judgeBy(
  head: Spec | undefined,
  specs: ReadonlyMap<string, Spec>,
  { ledger, cluster, stops, now }: Pick<ExecutorSnapshot, "ledger" | "cluster" | "stops"> & { readonly now: number },
): Seen {
  if (head === undefined) return { states: noWorkloads, judged: [] };
  const ownerOf = createOwnership(head, ledger, specs, stops);
  const index = new ClusterIndex({ cluster, head, ownerOf, now, waitingSince: new Map() });
  return { states: index, judged: [...index] };
}

/** An executor that may move: control is fresh, main is fresh, nothing is stopped, and only the given workloads roll. */
export function makeExecutorView(change: ExecutorViewChange = {}): ExecutorView {
  const { workloads = [], settings = {}, percentNew, now = noon, stops = [], ...rest } = change;
  const specs = specsOf(percentNew, settings);
  const head = specs.get(sha("head"));
  const ledger = "ledger" in change ? change.ledger : openRunLedger();
  const cluster = change.cluster ?? makeCluster("one", workloads);
  const { states, judged } = judgeBy(head, specs, { ledger, cluster, stops, now });
  const rolling = new Set(judged.filter((each) => each.rolling).map(({ key }) => key));
  const stalled = new Map<string, number>();
  const base = {
    claim: "own" as const,
    control: "fresh" as const,
    mainAgeMs: 0,
    head,
    settings: head?.settings,
    now,
    rolling,
    stalled,
    pace: { rolledAt: new Map<string, number>(), elapsed: 0 },
  };
  const snapshot = { ...base, judged: states, stops, ...rest, ledger, cluster };
  return { snapshot, judged };
}

/** The job of the run in `makeSnapshot`. */
export function makeJob(change: Partial<JobFacts> = {}): JobFacts {
  return { run: runId, clusterUid: "kube-system-of-one", isContained: true, holdsLock: true, ...change };
}

export function makeItem({ namespace, kind, name, uid }: Workload, change: Partial<BatchItem> = {}): BatchItem {
  return { namespace, kind, name, uid, target: "new", attempt: 1, unhealthyBefore: false, ...change };
}
