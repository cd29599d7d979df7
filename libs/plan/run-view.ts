import type { ClusterIndex } from "./cluster-index.ts";
import { chooseClass, nameFacet, type Part, type RunClass } from "./facets.ts";
import type { RunRecord } from "./ledger-state.ts";
import type { Blocker, WorkloadStanding } from "./standing.ts";
import { nameInFleet } from "./workload-key.ts";

/** The workloads of one run in one cluster, by class (rules 3.1). Nothing is listed before somebody takes it. */
export interface RunInCluster {
  count(classes: readonly RunClass[]): number;
  /** In the order of their keys; with parts: only those that are at least one of them. */
  list(classes: readonly RunClass[], ...parts: readonly Part[]): Iterable<WorkloadStanding>;
  /** Buckets of those in the class that move so. */
  buckets(name: RunClass, way: "single" | "unit"): readonly string[];
  /** Those in the class that one namespace has. */
  judge(name: RunClass, namespace: string): readonly WorkloadStanding[];
  countBlocked(by: Blocker): number;
  listBlocked(by: Blocker): Iterable<WorkloadStanding>;
  listFailed(): Iterable<WorkloadStanding>;
  /** Arrived ones that lack pods now. */
  listAiling(): Iterable<WorkloadStanding>;
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

function viewCluster(index: ClusterIndex, run: string): RunInCluster {
  return {
    count: (classes) => classes.reduce((sum, name) => sum + index.count(nameFacet(run, name)), 0),
    list: (classes, ...parts) =>
      index.list(
        ...classes.flatMap((name) =>
          parts.length === 0 ? [nameFacet(run, name)] : parts.map((part) => nameFacet(run, name, part)),
        ),
      ),
    buckets: (name, way) => {
      const prefix = `${run} ${name} ${way} @`;
      const own = index.listFacets().filter((facet) => facet.startsWith(prefix));
      return own.map((facet) => facet.slice(prefix.length));
    },
    judge: (name, namespace) =>
      index.judge(namespace).filter((each) => each.run?.id === run && chooseClass(each) === name),
    countBlocked: (by) => index.count(`${run} blocked by ${by}`),
    listBlocked: (by) => index.list(`${run} blocked by ${by}`),
    listFailed: () => index.list(`${run} failed`),
    listAiling: () => index.list(`${run} ailing`),
  };
}

/** What each of the served runs (open, or rolled back at once) has in each cluster; oldest first. */
export function viewRuns(served: readonly RunRecord[], fleet: ReadonlyMap<string, ClusterIndex>): readonly RunView[] {
  return served.map((run) => {
    const clusters = [...fleet].map(([name, index]) => [name, viewCluster(index, run.id)] as const);
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
