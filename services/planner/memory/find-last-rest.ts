import { type ClusterFacts, findAge, findRestAt, annotationKeys, type NamespaceInventory } from "#libs/fleet";

/**
 * How long ago the last workload that carries our mark came to rest in a cluster, ms, by its API server's own clock: what a planner
 * that saw no batch end counts `delayBetweenBatches` from. Infinity where nothing carries it; undefined = not known.
 */
export function findLastRest(
  namespaces: ReadonlyMap<string, NamespaceInventory>,
  { serverAt }: Pick<ClusterFacts, "serverAt">,
): number | undefined {
  let least = Number.POSITIVE_INFINITY;
  for (const { workloads } of namespaces.values()) {
    for (const workload of workloads) {
      if (!(annotationKeys.run in workload.annotations)) continue;
      const at = findRestAt(workload);
      if (at === undefined || serverAt === undefined) return undefined;
      least = Math.min(least, findAge(at, serverAt));
    }
  }
  return least;
}
