import type { ClusterIndex, Evaluation } from "../../index/index.ts";
import {
  type ClusterSnapshot,
  type LedgerState,
  nameInFleet,
  parseTime,
  type RunRecord,
  type Snapshot,
  type Spec,
} from "../../records/index.ts";
import { findLeftOut, isInPlace, type JudgedWorkload } from "../../workloads/index.ts";

/** What the objects say of those that a run wanted. */
export interface Reached {
  /** Their label says what it wanted, and so do their pods where they have any. */
  readonly inPlace: number;
  /** By `cluster:namespace/Kind/name`: they run another revision, nothing on them says why, and no open run wants them. */
  readonly unmoved: readonly string[];
}

/** What runs are compared with. */
export interface Basis {
  readonly snapshot: Snapshot;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly evaluation: Evaluation;
}

/** What one run is compared in. */
interface Comparison {
  readonly run: RunRecord;
  readonly head: Spec;
  /** The files of the run's commit. */
  readonly after: Spec;
  /** True for a namespace whose answer the run changed, and no later one. */
  readonly isAsked: (namespace: string) => boolean;
}

/** Main's own answers: undefined where the files of the run are not at hand. */
function compareRun(snapshot: Snapshot, { runs }: LedgerState, head: Spec, run: RunRecord): Comparison | undefined {
  const after = snapshot.specs.get(run.commit);
  if (after === undefined || !snapshot.specs.has(run.before)) return undefined;
  const since = Object.values(runs).filter(({ order, state }) => order >= run.order && state !== "gone");
  const pairs = since
    .toSorted((a, b) => b.order - a.order)
    .flatMap(({ id, before, commit }) => {
      const [old, now] = [snapshot.specs.get(before)?.resolver, snapshot.specs.get(commit)?.resolver];
      return old === undefined || now === undefined ? [] : [{ id, old, now }];
    });
  const isAsked = (name: string): boolean =>
    pairs.find(({ old, now }) => old.resolve(name).revision !== now.resolve(name).revision)?.id === run.id;
  return { run, head, after, isAsked };
}

/** Main excludes it, or did when the run began; or it runs what the campaign does not replace. */
function isLeftOut({ run, head, after }: Comparison, each: JudgedWorkload, cluster: ClusterSnapshot): boolean {
  const { inventory, workload, desired } = each;
  const began = parseTime(run.startedAt);
  return [head, after].some(
    (spec) =>
      findLeftOut({ cluster, head: spec, now: began, inventory, workload, owned: { desired, run } }) !== undefined,
  );
}

function compareCluster(comparison: Comparison, index: ClusterIndex, cluster: ClusterSnapshot): Reached {
  let inPlace = 0;
  const unmoved: string[] = [];
  for (const name of index.tree.keys()) {
    if (!comparison.isAsked(name)) continue;
    for (const each of index.judge(name)) {
      if (isInPlace(each.state)) inPlace += 1;
      if (each.state.kind !== "pending" || each.run !== undefined || isLeftOut(comparison, each, cluster)) continue;
      unmoved.push(nameInFleet(cluster.name, each.key));
    }
  }
  return { inPlace, unmoved };
}

interface Known {
  readonly root: unknown;
  readonly runs: LedgerState["runs"];
  readonly reached: Reached;
}

const known = new WeakMap<object, Map<string, Known>>();

/** What did not change since it was asked last is not compared again. */
function recallCluster(
  { runs }: LedgerState,
  comparison: Comparison,
  index: ClusterIndex,
  cluster: ClusterSnapshot,
): Reached {
  const byRun = known.get(index.basis) ?? new Map<string, Known>();
  known.set(index.basis, byRun);
  const { id } = comparison.run;
  const before = byRun.get(id);
  if (before !== undefined && before.root === index.tree.root && before.runs === runs) return before.reached;
  const reached = compareCluster(comparison, index, cluster);
  byRun.set(id, { root: index.tree.root, runs, reached });
  return reached;
}

/**
 * Compares a run that the ledger calls over with the objects: whom main wanted to move by it, and who does not run that. The ledger's
 * own list of who was given up counts for nothing here: what gave a workload up stands on the object, or in main's files. A cluster
 * that `isLate` is not compared.
 */
export function findReached(
  { snapshot, ledger, head, evaluation }: Basis,
  run: RunRecord,
  isLate: (cluster: ClusterSnapshot) => boolean,
): Reached {
  const comparison = compareRun(snapshot, ledger, head, run);
  if (comparison === undefined) return { inPlace: 0, unmoved: [] };
  const skipped = [...head.settings.excludedClusters, ...comparison.after.settings.excludedClusters];
  const parts = [...evaluation.judged].flatMap(([name, index]) => {
    const cluster = snapshot.clusters.get(name);
    const isLeftOut = cluster === undefined || skipped.includes(name) || isLate(cluster);
    return isLeftOut ? [] : [recallCluster(ledger, comparison, index, cluster)];
  });
  return {
    inPlace: parts.reduce((sum, { inPlace }) => sum + inPlace, 0),
    unmoved: parts.flatMap(({ unmoved }) => unmoved),
  };
}
