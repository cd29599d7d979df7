import type { ClusterSnapshot, Snapshot, Spec } from "../records/index.ts";
import { nameInFleet } from "../records/index.ts";
import { findWaitingAge, type JudgedWorkload } from "../workloads/index.ts";
import { type Evaluation, evaluateFleet } from "./evaluate-fleet.ts";

const asItIs = (each: JudgedWorkload): JudgedWorkload => each;

type Clusters = ReadonlyMap<string, Pick<ClusterSnapshot, "serverNow">>;

/** `now`-times since when workloads wait for their owners, by their names in the fleet, as far as the objects say. */
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
 * The fleet judged by who has not watched it, as a planner judges it after its start: what waits for its owner has waited for as
 * long as its objects say, and is skipped once that is too long.
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
