import type { LedgerState } from "./ledger-state.ts";
import { judgeWorkload } from "./judge-workload.ts";
import { createOwnership, type Ownership } from "./ownership.ts";
import { type RunView, viewRuns } from "./run-view.ts";
import type { WorkloadStanding } from "./standing.ts";
import type { ClusterWorld, Spec, World } from "./world.ts";

/** What one cluster is judged by. */
export interface ClusterQuestion {
  readonly cluster: ClusterWorld;
  readonly head: Spec;
  readonly ownerOf: (namespace: string) => Ownership;
  readonly now: number;
  readonly waitingSince: ReadonlyMap<string, number>;
}

/** Where every workload of a cluster stands. */
export function judgeCluster(question: ClusterQuestion): readonly WorkloadStanding[] {
  const judged: WorkloadStanding[] = [];
  for (const inventory of question.cluster.namespaces.values()) {
    for (const workload of inventory.workloads) judged.push(judgeWorkload(question, inventory, workload));
  }
  return judged;
}

/** The fleet as one world shows it. */
export interface Survey {
  readonly judged: ReadonlyMap<string, readonly WorkloadStanding[]>;
  /** Open runs, oldest first. */
  readonly views: readonly RunView[];
}

const surveyed = new WeakMap<World, Survey>();

/** Judges every cluster of a world; the same world is judged once. */
export function surveyFleet(world: World, head: Spec): Survey {
  const known = surveyed.get(world);
  if (known !== undefined) return known;
  const { ledger, specs, now, waitingSince } = world;
  const ownerOf = createOwnership(head, ledger, specs);
  const judged = new Map<string, readonly WorkloadStanding[]>();
  for (const cluster of world.clusters.values()) {
    judged.set(cluster.name, judgeCluster({ cluster, head, ownerOf, now, waitingSince }));
  }
  const survey = { judged, views: viewRuns(listRuns(ledger), [...judged.values()].flat()) };
  surveyed.set(world, survey);
  return survey;
}

function listRuns(ledger: LedgerState | undefined) {
  return ledger === undefined ? [] : Object.values(ledger.runs);
}
