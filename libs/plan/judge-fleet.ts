import type { NamespaceInventory } from "#libs/fleet";

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

type Judged = readonly WorkloadStanding[];

/** Judgements by what they rest on: the ownership (head and ledger), the cluster's control plane, and the namespace's value. */
const remembered = new WeakMap<ClusterQuestion["ownerOf"], Map<string, WeakMap<NamespaceInventory, Judged>>>();

function recall({ cluster, ownerOf }: ClusterQuestion): WeakMap<NamespaceInventory, Judged> {
  const { revisions, tags } = cluster.facts;
  const plane = JSON.stringify([cluster.name, revisions, tags]);
  const byPlane = remembered.get(ownerOf) ?? new Map<string, WeakMap<NamespaceInventory, Judged>>();
  remembered.set(ownerOf, byPlane);
  const known = byPlane.get(plane) ?? new WeakMap<NamespaceInventory, Judged>();
  byPlane.set(plane, known);
  return known;
}

/** A wait that ends after a time, and the time that an undo gets, are judged anew at each look; the rest only when it changed. */
function isTimeless({ standing, rolling }: WorkloadStanding): boolean {
  const isUndoRolling = rolling && standing.kind !== "moving";
  return standing.kind !== "blocked" && standing.kind !== "aside" && !isUndoRolling;
}

/** Where every workload of a cluster stands. Costs what changed since the last look, not the cluster. */
export function judgeCluster(question: ClusterQuestion): Judged {
  const known = recall(question);
  const all: WorkloadStanding[] = [];
  for (const inventory of question.cluster.namespaces.values()) {
    const before = known.get(inventory);
    const judged = before ?? inventory.workloads.map((workload) => judgeWorkload(question, inventory, workload));
    if (before === undefined && judged.every(isTimeless)) known.set(inventory, judged);
    for (const each of judged) all.push(each);
  }
  return all;
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
