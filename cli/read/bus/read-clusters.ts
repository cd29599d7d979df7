import { mayConcernCluster } from "#libs/input";
import type { Bus, KeyWatcher } from "#libs/bus";
import { findOtherVersion, readClusterFacts, readInventoryKey } from "#libs/events";
import type { ClusterFacts } from "#libs/fleet";

import { refuseOtherVersion } from "../../options/refuse-other-version.ts";

/** The clusters' facts on the bus, kept current until the signal aborts. */
export interface ClustersOnBus {
  /** By name. */
  readonly facts: ReadonlyMap<string, ClusterFacts>;
  /** By cluster: why its facts were not read, because another version wrote them. */
  readonly otherVersions: ReadonlyMap<string, string>;
}

/** Follows the value `<cluster>._` of each cluster; `onChange` is called after each change. Resolves after the first values. */
export async function followClusters(bus: Bus, onChange: () => void, signal: AbortSignal): Promise<ClustersOnBus> {
  const facts = new Map<string, ClusterFacts>();
  const otherVersions = new Map<string, string>();
  const watcher: KeyWatcher = {
    onEntry({ key, value }) {
      const cluster = readInventoryKey(key)?.cluster ?? "";
      const read = value === undefined ? undefined : readClusterFacts(cluster, value);
      const why = value === undefined ? undefined : findOtherVersion(value);
      if (read === undefined) facts.delete(cluster);
      else facts.set(cluster, read);
      if (why === undefined) otherVersions.delete(cluster);
      else otherVersions.set(cluster, why);
      onChange();
    },
    onReady: () => undefined,
    // A wiped inventory is published again within seconds; until then the last facts are used.
    onReset: () => undefined,
  };
  await bus.bucket("inventory").watch("*._", watcher, signal);
  return { facts, otherVersions };
}

/** Each cluster's facts, as far as this version can read them. */
export async function readAllClusters(bus: Bus): Promise<ClustersOnBus> {
  const stop = new AbortController();
  try {
    return await followClusters(bus, () => undefined, stop.signal);
  } finally {
    stop.abort();
  }
}

/** Each cluster's facts; refused where another version wrote any, so that no cluster is missing without notice. */
export async function listClustersOnBus(bus: Bus): Promise<ReadonlyMap<string, ClusterFacts>> {
  const { facts, otherVersions } = await readAllClusters(bus);
  for (const [cluster, why] of otherVersions) throw refuseOtherVersion(`the facts of cluster ${cluster}`, why);
  return facts;
}

/** Clusters that a stop on this scope concerns: those whose executor acts. */
export function listConcerned(facts: ReadonlyMap<string, ClusterFacts>, scope: string): readonly string[] {
  const names = [...facts.values()].filter(({ mode }) => mode === "act").map(({ cluster }) => cluster);
  return names.filter((name) => mayConcernCluster(scope, name)).toSorted();
}

/** Namespaces that any cluster has published under a key pattern. */
export async function listNamespaces(bus: Bus, pattern: string): Promise<readonly string[]> {
  const stop = new AbortController();
  const names = new Set<string>();
  const watcher: KeyWatcher = {
    onEntry({ key, value }) {
      const name = value === undefined ? undefined : readInventoryKey(key)?.namespace;
      if (name !== undefined) names.add(name);
    },
    onReady: () => undefined,
    onReset: () => names.clear(),
  };
  try {
    await bus.bucket("inventory").watch(pattern, watcher, stop.signal);
    return [...names];
  } finally {
    stop.abort();
  }
}
