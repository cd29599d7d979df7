import type { Bus, KeyWatcher } from "#libs/bus";
import { readClusterFacts, readInventoryKey } from "#libs/events";
import type { ClusterFacts } from "#libs/fleet";

/** What every cluster says of itself on the bus, kept current until the signal ends. */
export interface ClustersOnBus {
  /** By name. */
  readonly facts: ReadonlyMap<string, ClusterFacts>;
}

/** Follows the value `<cluster>._` of each cluster; `onChange` is called after each change. Resolves when all were told once. */
export async function followClusters(bus: Bus, onChange: () => void, signal: AbortSignal): Promise<ClustersOnBus> {
  const facts = new Map<string, ClusterFacts>();
  const watcher: KeyWatcher = {
    onEntry({ key, value }) {
      const cluster = readInventoryKey(key)?.cluster ?? "";
      const read = value === undefined ? undefined : readClusterFacts(cluster, value);
      if (read === undefined) facts.delete(cluster);
      else facts.set(cluster, read);
      onChange();
    },
    onReady: () => undefined,
    // A wiped inventory comes again within seconds; what was seen until then stays true of the clusters.
    onReset: () => undefined,
  };
  await bus.bucket("inventory").watch("*._", watcher, signal);
  return { facts };
}

/** What each cluster says of itself now. */
export async function listClustersOnBus(bus: Bus): Promise<ReadonlyMap<string, ClusterFacts>> {
  const stop = new AbortController();
  try {
    return (await followClusters(bus, () => undefined, stop.signal)).facts;
  } finally {
    stop.abort();
  }
}

/** Clusters that a stop on this scope stops: those whose executor acts; one that only observes moves nobody anyhow. */
export function listConcerned(facts: ReadonlyMap<string, ClusterFacts>, scope: string): readonly string[] {
  const names = [...facts.values()].filter(({ mode }) => mode === "act").map(({ cluster }) => cluster);
  return names.filter((name) => !scope.startsWith("cluster/") || scope === `cluster/${name}`).toSorted();
}
