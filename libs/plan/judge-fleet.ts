import { ClusterIndex } from "./cluster-index.ts";
import type { ClusterQuestion } from "./cluster-question.ts";
import { createOwnership } from "./ownership.ts";
import { listServedRuns } from "./reverts.ts";
import { type RunView, viewRuns } from "./run-view.ts";
import type { WorkloadStanding } from "./standing.ts";
import { collectStops } from "./stops.ts";
import type { Spec, World } from "./world.ts";

/** Where every workload of a cluster stands, one after the other; who wants only some of them asks a `ClusterIndex`. */
export function judgeCluster(question: ClusterQuestion): readonly WorkloadStanding[] {
  return [...new ClusterIndex(question)];
}

/** The fleet as one world shows it. */
export interface Survey {
  readonly judged: ReadonlyMap<string, ClusterIndex>;
  /** Served runs, oldest first. */
  readonly views: readonly RunView[];
}

const surveyed = new WeakMap<World, Survey>();

/** Judges every cluster of a world; the same world is judged once. */
export function surveyFleet(world: World, head: Spec): Survey {
  const known = surveyed.get(world);
  if (known !== undefined) return known;
  const { ledger, specs, now, waitingSince } = world;
  const stops = collectStops(ledger, world.asks, world.clusters.values(), head);
  const ownerOf = createOwnership(head, ledger, specs, stops);
  const judged = new Map<string, ClusterIndex>();
  for (const cluster of world.clusters.values()) {
    judged.set(cluster.name, new ClusterIndex({ cluster, head, ownerOf, now, waitingSince }));
  }
  const survey = { judged, views: viewRuns(listServedRuns(ledger, stops), judged) };
  surveyed.set(world, survey);
  return survey;
}
