import type { RunRecord } from "../records/index.ts";
import type { Blocker, JudgedWorkload } from "../workloads/index.ts";
import type { JudgedWorkloads } from "./cluster-index.ts";
import { chooseClass, type MoveGroup, type Part, type RunClass, runClasses } from "./index-keys.ts";

/** The workloads of one run in one cluster, by class (rules 3.1). Lists are computed when they are read. */
export interface RunInCluster {
  count(classes: readonly RunClass[]): number;
  /** In the order of their keys; with parts only those that are in at least one of them. */
  list(classes: readonly RunClass[], ...parts: readonly (Part | MoveGroup)[]): Iterable<JudgedWorkload>;
  /** What `read` returns for the first `limit` workloads of a class; cached over reconciles (`ClusterIndex.collect`). */
  collect<T>(runClass: RunClass, limit: number, read: (each: JudgedWorkload) => T): readonly T[];
  /** The groups of the class that move in this way: one list for each turn, the first turn first. */
  turns(runClass: RunClass, way: MoveGroup["way"]): readonly (readonly MoveGroup[])[];
  /** The workloads of the class in one namespace. */
  listIn(runClass: RunClass, namespace: string): readonly JudgedWorkload[];
  countWaiting(by: Blocker): number;
  /** The first workload that waits for this; cached over reconciles (`ClusterIndex.collect`). */
  findWaitingOne(by: Blocker): JudgedWorkload | undefined;
  /** Failures of this run. */
  listFailed(): Iterable<JudgedWorkload>;
  /** Workloads that a failure keeps skipped, of this run or an earlier one. */
  listFailureAnnotated(): Iterable<JudgedWorkload>;
  countFailureAnnotated(): number;
  /** Workloads that an earlier stage of its campaign left over. */
  countLeftover(): number;
  /** Migrated workloads that lack pods now. */
  listAiling(): Iterable<JudgedWorkload>;
}

/** One run over the fleet. */
export interface RunView {
  readonly run: RunRecord;
  /** Clusters in which it has workloads. */
  readonly clusters: ReadonlyMap<string, RunInCluster>;
}

/** Workloads that meshroll still has to patch. Rolling ones were patched by their owner, or before the bake began. */
export const pendingClasses: readonly RunClass[] = ["pending", "rollback", "pendingLast"];

/** Moving, due and waiting (rules 3.2): while there is one, the run is not over. */
export const leftClasses: readonly RunClass[] = ["migrating", ...pendingClasses, "waiting"];

function listTurns(
  index: JudgedWorkloads,
  run: string,
  runClass: RunClass,
  way: MoveGroup["way"],
): readonly MoveGroup[][] {
  const groups = index.listGroups(run, runClass).filter((group) => group.way === way);
  const byTurn = Map.groupBy(groups, ({ turn }) => turn);
  return [...byTurn].toSorted(([a], [b]) => a - b).map(([, turn]) => turn);
}

function identity(each: JudgedWorkload): JudgedWorkload {
  return each;
}

function viewCluster(index: JudgedWorkloads, { id: run }: RunRecord): RunInCluster {
  return {
    count: (classes) => {
      let sum = 0;
      for (const is of classes) sum += index.count({ run, is });
      return sum;
    },
    list: (classes, ...parts) =>
      index.list(
        ...classes.flatMap((is) => (parts.length === 0 ? [{ run, is }] : parts.map((only) => ({ run, is, only })))),
      ),
    collect: (is, limit, read) => index.collect({ run, is }, limit, read),
    turns: (runClass, way) => listTurns(index, run, runClass, way),
    listIn: (runClass, namespace) =>
      index.judge(namespace).filter((each) => each.run?.id === run && chooseClass(each) === runClass),
    countWaiting: (only) => index.count({ run, is: "waiting", only }),
    findWaitingOne: (only) => index.collect({ run, is: "waiting", only }, 1, identity)[0],
    listFailed: () => index.list({ run, is: "failed" }),
    listFailureAnnotated: () => index.list({ run, is: "failureAnnotated" }),
    countFailureAnnotated: () => index.count({ run, is: "failureAnnotated" }),
    countLeftover: () => index.count({ run, is: "leftover" }),
    listAiling: () => index.list({ run, is: "ailing" }),
  };
}

/** The served runs (open, or rolled back at once), oldest first, with their workloads in each cluster. */
export function viewRuns(
  served: readonly RunRecord[],
  fleet: ReadonlyMap<string, JudgedWorkloads>,
): readonly RunView[] {
  return served.map((run) => {
    const clusters = [...fleet].map(([name, index]) => [name, viewCluster(index, run)] as const);
    return { run, clusters: new Map(clusters.filter(([, view]) => view.count(runClasses) > 0)) };
  });
}

/** How many workloads of the run are in these classes, over the fleet. */
export function countClasses(view: RunView, classes: readonly RunClass[]): number {
  return [...view.clusters.values()].reduce((sum, each) => sum + each.count(classes), 0);
}

/** A wave is open in a cluster that has workloads of the run. */
export function hasBegun({ run, clusters }: RunView): boolean {
  return Object.keys(run.clusters).some((name) => clusters.has(name));
}

/** How many workloads of a run are left in one cluster; undefined = it has none there. */
export function countLeftIn(inCluster: RunInCluster | undefined): number {
  return inCluster?.count(leftClasses) ?? 0;
}

/** How many workloads are left of a run, and how many it has. With nothing left it is over (rules 3.2). */
export function countLeft(view: RunView): { readonly left: number; readonly total: number } {
  return { left: countClasses(view, leftClasses), total: countClasses(view, runClasses) };
}
