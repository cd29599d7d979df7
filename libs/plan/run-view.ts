import type { ClusterIndex } from "./cluster-index.ts";
import { chooseClass, type Facet, type MovePart, nameFacet, type Part, type RunClass } from "./facets.ts";
import type { RunRecord } from "./ledger-state.ts";
import type { Blocker, WorkloadStanding } from "./standing.ts";
import { nameInFleet } from "./workload-key.ts";

/** The workloads of one run in one cluster, by class (rules 3.1). Nothing is listed before somebody takes it. */
export interface RunInCluster {
  count(classes: readonly RunClass[]): number;
  /** In the order of their keys; with parts: only those that are at least one of them. */
  list(classes: readonly RunClass[], ...parts: readonly Part[]): Iterable<WorkloadStanding>;
  /** What `read` says of the first so many of a class; kept from look to look (`ClusterIndex.collect`). */
  collect<T>(name: RunClass, limit: number, read: (each: WorkloadStanding) => T): readonly T[];
  /** Parts of those in the class that move so, with their bucket: one list for each turn, the first turn first. */
  turns(name: RunClass, way: "single" | "unit"): readonly (readonly TurnPart[])[];
  /** Those in the class that one namespace has. */
  judge(name: RunClass, namespace: string): readonly WorkloadStanding[];
  countBlocked(by: Blocker): number;
  /** The first of them; kept from look to look (`ClusterIndex.collect`). */
  findBlocked(by: Blocker): WorkloadStanding | undefined;
  listFailed(): Iterable<WorkloadStanding>;
  /** Arrived ones that lack pods now. */
  listAiling(): Iterable<WorkloadStanding>;
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
export const leftClasses: readonly RunClass[] = ["moving", "due", "back", "dueLast", "blocked"];
const allClasses: readonly RunClass[] = [...leftClasses, "there", "aside"];

const named = new WeakMap<RunRecord, ReadonlyMap<RunClass, Facet>>();

/** The names of a run's classes, written once: a look asks for each in every cluster. */
function nameClasses(run: RunRecord): ReadonlyMap<RunClass, Facet> {
  const names = named.get(run) ?? new Map(allClasses.map((name) => [name, nameFacet(run.id, name)]));
  named.set(run, names);
  return names;
}

const partForm = /^(single|unit)(?: (\d+))? @(.*)$/su;

/** The parts that stand in the names of facets; one choice asks for them several times. */
function readTurns(index: ClusterIndex, run: string): RunInCluster["turns"] {
  let facets: readonly string[] | undefined;
  return (name, way) => {
    facets ??= index.listFacets().filter((facet) => facet.startsWith(run) && facet.includes(" @"));
    const prefix = `${run} ${name} `;
    const found = facets.flatMap((facet) => {
      const part = facet.startsWith(prefix) ? facet.slice(prefix.length) : "";
      const [, isWay, turn = "0", bucket = ""] = partForm.exec(part) ?? [];
      return isWay === way ? [{ part: part as MovePart, turn: Number(turn), bucket }] : [];
    });
    const byTurn = Map.groupBy(found, (each) => each.turn);
    return [...byTurn].toSorted(([a], [b]) => a - b).map(([, parts]) => parts);
  };
}

function readWhole(each: WorkloadStanding): WorkloadStanding {
  return each;
}

function viewCluster(index: ClusterIndex, { id: run }: RunRecord, names: ReadonlyMap<RunClass, Facet>): RunInCluster {
  return {
    count: (classes) => {
      let sum = 0;
      for (const name of classes) sum += index.count(names.get(name) ?? nameFacet(run, name));
      return sum;
    },
    list: (classes, ...parts) =>
      index.list(
        ...classes.flatMap((name) =>
          parts.length === 0 ? [nameFacet(run, name)] : parts.map((part) => nameFacet(run, name, part)),
        ),
      ),
    collect: (name, limit, read) => index.collect(nameFacet(run, name), limit, read),
    turns: readTurns(index, run),
    judge: (name, namespace) =>
      index.judge(namespace).filter((each) => each.run?.id === run && chooseClass(each) === name),
    countBlocked: (by) => index.count(`${run} blocked by ${by}`),
    findBlocked: (by) => index.collect(`${run} blocked by ${by}`, 1, readWhole)[0],
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

/** Failures of a run that count: its own marks, without those that a lifted stop already named (rules 3.3). */
export function listFailures(view: RunView, forgiven: ReadonlySet<string>): readonly string[] {
  const failures = new Set<string>();
  for (const [cluster, classes] of view.clusters) {
    for (const each of classes.listFailed()) {
      if (each.standing.kind !== "aside" || each.standing.failed === undefined) continue;
      const name = nameInFleet(cluster, each.standing.failed);
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
