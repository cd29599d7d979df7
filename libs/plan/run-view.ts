import type { RunRecord } from "./ledger-state.ts";
import type { WorkloadStanding } from "./standing.ts";
import { nameInFleet } from "./workload-key.ts";

/** The workloads of one run in one cluster, by class (rules 3.1). */
export interface RunInCluster {
  readonly there: readonly WorkloadStanding[];
  readonly moving: readonly WorkloadStanding[];
  readonly due: readonly WorkloadStanding[];
  /** Unhealthy before the run: tried when nothing else is left (architecture §3, Bake). */
  readonly dueLast: readonly WorkloadStanding[];
  readonly blocked: readonly WorkloadStanding[];
  readonly aside: readonly WorkloadStanding[];
}

/** One run over the fleet. */
export interface RunView {
  readonly run: RunRecord;
  readonly clusters: ReadonlyMap<string, RunInCluster>;
}

type Classes = { -readonly [K in keyof RunInCluster]: WorkloadStanding[] };

/** The class a workload of a run falls in; undefined for one that the run does not count. */
function chooseClass(judged: WorkloadStanding): keyof RunInCluster | undefined {
  switch (judged.standing.kind) {
    case "unmanaged":
      return undefined;
    case "due":
      return judged.standing.unhealthyBefore ? "dueLast" : "due";
    case "there":
    case "moving":
    case "blocked":
    case "aside":
      return judged.standing.kind;
  }
}

function addToClasses(classes: Classes, judged: WorkloadStanding): void {
  const name = chooseClass(judged);
  if (name !== undefined) classes[name].push(judged);
}

/** Sorts the judged workloads of the whole fleet to the open runs they belong to. Runs come oldest first. */
export function viewRuns(runs: readonly RunRecord[], judged: Iterable<WorkloadStanding>): readonly RunView[] {
  const open = runs.filter((run) => run.state === "open").toSorted((a, b) => a.order - b.order);
  const byRun = new Map(open.map((run) => [run.id, new Map<string, Classes>()]));
  for (const each of judged) {
    const clusters = each.run === undefined ? undefined : byRun.get(each.run.id);
    if (clusters === undefined) continue;
    let classes = clusters.get(each.cluster);
    if (classes === undefined) {
      classes = { there: [], moving: [], due: [], dueLast: [], blocked: [], aside: [] };
      clusters.set(each.cluster, classes);
    }
    addToClasses(classes, each);
  }
  return open.map((run) => ({ run, clusters: byRun.get(run.id) ?? new Map() }));
}

/** Failures of a run that count: its own marks, without those that a lifted stop already named (rules 3.3). */
export function listFailures(view: RunView, forgiven: ReadonlySet<string>): readonly string[] {
  const failures = new Set<string>();
  for (const [cluster, classes] of view.clusters) {
    for (const each of classes.aside) {
      if (each.standing.kind !== "aside" || each.standing.failed === undefined) continue;
      const name = nameInFleet(cluster, each.standing.failed);
      if (!forgiven.has(name)) failures.add(name);
    }
  }
  return [...failures].toSorted();
}

/** How many workloads the run is about: what is there and what is left. */
export function countWorkloads(view: RunView): number {
  let count = 0;
  for (const classes of view.clusters.values()) {
    for (const list of Object.values(classes)) count += list.length;
  }
  return count;
}

/** What is left of a run (moving, due, waiting), and how many workloads it is about; a run with nothing left is over (rules 3.2). */
export function countLeft(view: RunView): { readonly left: number; readonly total: number } {
  let left = 0;
  for (const { moving, due, dueLast, blocked } of view.clusters.values()) {
    left += moving.length + due.length + dueLast.length + blocked.length;
  }
  return { left, total: countWorkloads(view) };
}
