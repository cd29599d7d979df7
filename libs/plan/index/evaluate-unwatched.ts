import type { ClusterSnapshot, Snapshot, Spec } from "../records/index.ts";
import { nameInFleet } from "../records/index.ts";
import { findWaitingAge, type JudgedWorkload } from "../workloads/index.ts";
import { type Evaluation, evaluateFleet } from "./evaluate-fleet.ts";

const asItIs = (each: JudgedWorkload): JudgedWorkload => each;

type Clusters = ReadonlyMap<string, Pick<ClusterSnapshot, "serverNow">>;

/** Since when workloads wait for their owners, by name in the fleet, as far as the objects show. */
function listWaits({ judged }: Evaluation, clusters: Clusters, now: number): ReadonlyMap<string, number> {
  const waiting = [...judged.values()].flatMap((index) => index.collect("waiting", Infinity, asItIs));
  return new Map(
    waiting.map((each) => {
      const age = findWaitingAge(each, clusters.get(each.cluster)?.serverNow, now);
      return [nameInFleet(each.cluster, each.key), now - age];
    }),
  );
}

/**
 * Evaluates the fleet without earlier observations, as a planner does after its start: how long a workload waits for its owner
 * is read from the objects, and one that waits too long is skipped.
 */
export function evaluateUnwatched(
  snapshot: Snapshot,
  head: Spec,
): { readonly snapshot: Snapshot; readonly evaluation: Evaluation } {
  const evaluation = evaluateFleet(snapshot, head);
  const waitingSince = listWaits(evaluation, snapshot.clusters, snapshot.now);
  if (waitingSince.size === 0) return { snapshot, evaluation };
  const aged = { ...snapshot, waitingSince };
  return { snapshot: aged, evaluation: evaluateFleet(aged, head) };
}
