import { nameInFleet, type RunRecord } from "../records/index.ts";
import type { Blocker, JudgedWorkload } from "../workloads/index.ts";
import type { ClusterIndex } from "./cluster-index.ts";
import { chooseClass, type IndexKey, type MovePart, nameIndexKey, type Part, type RunClass } from "./index-keys.ts";

/** The workloads of one run in one cluster, by class (rules 3.1). Nothing is listed before a caller takes it. */
export interface RunInCluster {
  count(classes: readonly RunClass[]): number;
  /** In the order of their keys; with parts: only those that are at least one of them. */
  list(classes: readonly RunClass[], ...parts: readonly Part[]): Iterable<JudgedWorkload>;
  /** What `read` says of the first so many of a class; kept from reconcile to reconcile (`ClusterIndex.collect`). */
  collect<T>(name: RunClass, limit: number, read: (each: JudgedWorkload) => T): readonly T[];
  /** Parts of those in the class that move so, with their bucket: one list for each turn, the first turn first. */
  turns(name: RunClass, way: "single" | "unit"): readonly (readonly TurnPart[])[];
  /** Those in the class that one namespace has. */
  judge(name: RunClass, namespace: string): readonly JudgedWorkload[];
  countWaiting(by: Blocker): number;
  /** The first of them; kept from reconcile to reconcile (`ClusterIndex.collect`). */
  findWaitingOne(by: Blocker): JudgedWorkload | undefined;
  listFailed(): Iterable<JudgedWorkload>;
  /** Arrived ones that lack pods now. */
  listAiling(): Iterable<JudgedWorkload>;
}

/** What has its turn at the same time, of one bucket. */
export interface TurnPart {
  readonly part: MovePart;
  readonly bucket: string;
}

/** One run over the fleet. */
export interface RunView {
  readonly run: RunRecord;
  /** Clusters in which it has workloads. */
  readonly clusters: ReadonlyMap<string, RunInCluster>;
}

/** Moving, due and waiting (rules 3.2): while there is one, the run is not over. */
export const leftClasses: readonly RunClass[] = ["migrating", "pending", "rollback", "pendingLast", "waiting"];
const allClasses: readonly RunClass[] = [...leftClasses, "migrated", "skipped"];

const named = new WeakMap<RunRecord, ReadonlyMap<RunClass, IndexKey>>();

/** The names of a run's classes, written once: a reconcile asks for each in every cluster. */
function nameClasses(run: RunRecord): ReadonlyMap<RunClass, IndexKey> {
  const names = named.get(run) ?? new Map(allClasses.map((name) => [name, nameIndexKey(run.id, name)]));
  named.set(run, names);
  return names;
}

const partForm = /^(single|unit)(?: (\d+))? @(.*)$/su;

/** The parts that stand in the names of index keys; one choice asks for them several times. */
function readTurns(index: ClusterIndex, run: string): RunInCluster["turns"] {
  let indexKeys: readonly string[] | undefined;
  return (name, way) => {
    indexKeys ??= index.listIndexKeys().filter((indexKey) => indexKey.startsWith(run) && indexKey.includes(" @"));
    const prefix = `${run} ${name} `;
    const found = indexKeys.flatMap((indexKey) => {
      const part = indexKey.startsWith(prefix) ? indexKey.slice(prefix.length) : "";
      const [, isWay, turn = "0", bucket = ""] = partForm.exec(part) ?? [];
      return isWay === way ? [{ part: part as MovePart, turn: Number(turn), bucket }] : [];
    });
    const byTurn = Map.groupBy(found, (each) => each.turn);
    return [...byTurn].toSorted(([a], [b]) => a - b).map(([, parts]) => parts);
  };
}

function readWhole(each: JudgedWorkload): JudgedWorkload {
  return each;
}

function viewCluster(
  index: ClusterIndex,
  { id: run }: RunRecord,
  names: ReadonlyMap<RunClass, IndexKey>,
): RunInCluster {
  return {
    count: (classes) => {
      let sum = 0;
      for (const name of classes) sum += index.count(names.get(name) ?? nameIndexKey(run, name));
      return sum;
    },
    list: (classes, ...parts) =>
      index.list(
        ...classes.flatMap((name) =>
          parts.length === 0 ? [nameIndexKey(run, name)] : parts.map((part) => nameIndexKey(run, name, part)),
        ),
      ),
    collect: (name, limit, read) => index.collect(nameIndexKey(run, name), limit, read),
    turns: readTurns(index, run),
    judge: (name, namespace) =>
      index.judge(namespace).filter((each) => each.run?.id === run && chooseClass(each) === name),
    countWaiting: (by) => index.count(`${run} waiting by ${by}`),
    findWaitingOne: (by) => index.collect(`${run} waiting by ${by}`, 1, readWhole)[0],
    listFailed: () => index.list(`${run} failed`),
    listAiling: () => index.list(`${run} ailing`),
  };
}

/** What each of the served runs (open, or rolled back at once) has in each cluster; oldest first. */
export function viewRuns(served: readonly RunRecord[], fleet: ReadonlyMap<string, ClusterIndex>): readonly RunView[] {
  return served.map((run) => {
    const names = nameClasses(run);
    const clusters = [...fleet].map(([name, index]) => [name, viewCluster(index, run, names)] as const);
    return { run, clusters: new Map(clusters.filter(([, view]) => view.count(allClasses) > 0)) };
  });
}

/** Failures of a run that count: its own marks, without those that an ended stop already named (rules 3.3). */
export function listFailures(view: RunView, forgiven: ReadonlySet<string>): readonly string[] {
  const failures = new Set<string>();
  for (const [cluster, classes] of view.clusters) {
    for (const each of classes.listFailed()) {
      if (each.state.kind !== "skipped" || each.state.failed === undefined) continue;
      const name = nameInFleet(cluster, each.state.failed);
      if (!forgiven.has(name)) failures.add(name);
    }
  }
  return [...failures].toSorted();
}

/** How many workloads of the run are in these classes, over the fleet. */
export function countClasses(view: RunView, classes: readonly RunClass[]): number {
  return [...view.clusters.values()].reduce((sum, each) => sum + each.count(classes), 0);
}

/** A wave is open in a cluster that has workloads of the run. */
export function hasBegun({ run, clusters }: RunView): boolean {
  return Object.keys(run.clusters).some((name) => clusters.has(name));
}

/** What is left of a run, and how many workloads it is about; a run with nothing left is over (rules 3.2). */
export function countLeft(view: RunView): { readonly left: number; readonly total: number } {
  return { left: countClasses(view, leftClasses), total: countClasses(view, allClasses) };
}
