import { nameInFleet } from "../records/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";
import type { JudgedWorkloads } from "./cluster-index.ts";
import type { RunView } from "./run-view.ts";

/**
 * A workload whose failure was not dealt with: main still wants the revision there, and no retry, rollback or deploy of its
 * owner came since. It stays one after its run is over, and after a resume.
 */
export interface FailedWorkload {
  readonly cluster: string;
  /** `namespace/Kind/name`. */
  readonly workload: string;
  /** The run in which it failed; absent where the annotation is damaged. */
  readonly run?: string;
  readonly judged: JudgedWorkload;
}

/** Every failed workload of these clusters, in the order of clusters and keys. All counts of failures use this list. */
export function listFailed(fleet: ReadonlyMap<string, JudgedWorkloads>): readonly FailedWorkload[] {
  return [...fleet].flatMap(([cluster, index]) =>
    [...index.list("failed")].map((judged) => {
      const run = judged.state.kind === "skipped" ? judged.state.failureAnnotation?.run : undefined;
      return { cluster, workload: judged.key, ...(run === undefined ? {} : { run }), judged };
    }),
  );
}

/** Failures of a run that count against its limits. */
export interface RunFailures {
  /** `cluster:namespace/Kind/name`, sorted: the counted ones. */
  readonly workloads: readonly string[];
  /**
   * The same, or `cluster:namespace/*` where a namespace failed as a whole, sorted: named by a stop, and accepted by a resume.
   */
  readonly objects: readonly string[];
}

/** A run's own failures, without those that an ended stop named (rules 3.3); of all clusters, or only of these. */
export function listFailures(
  view: RunView,
  accepted: ReadonlySet<string>,
  clusters: Iterable<string> = view.clusters.keys(),
): RunFailures {
  const [workloads, objects] = [new Set<string>(), new Set<string>()];
  for (const cluster of clusters) {
    for (const { key, state } of view.clusters.get(cluster)?.listFailed() ?? []) {
      if (state.kind !== "skipped" || state.failed === undefined) continue;
      const object = nameInFleet(cluster, state.failed);
      if (accepted.has(object)) continue;
      objects.add(object);
      workloads.add(nameInFleet(cluster, key));
    }
  }
  return { workloads: [...workloads].toSorted(), objects: [...objects].toSorted() };
}
