import { mayConcernCluster } from "#libs/input";
import type { Bus, KeyWatcher } from "#libs/bus";
import { findOtherVersion, readClusterFacts, readInventoryKey } from "#libs/events";
import type { ClusterFacts } from "#libs/fleet";

import { refuseOtherVersion } from "../options/refuse-other-version.ts";

/** What every cluster says of itself on the bus, kept current until the signal ends. */
export interface ClustersOnBus {
  /** By name. */
  readonly facts: ReadonlyMap<string, ClusterFacts>;
  /** Why a cluster's value was not read, by its name: a build of another version wrote it. */
  readonly otherVersions: ReadonlyMap<string, string>;
}

/** Follows the value `<cluster>._` of each cluster; `onChange` is called after each change. Resolves when all were reported once. */
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
    // A wiped inventory comes again within seconds; what was seen until then stays true of the clusters.
    onReset: () => undefined,
  };
  await bus.bucket("inventory").watch("*._", watcher, signal);
  return { facts, otherVersions };
}

/** What each cluster says of itself now, as far as this build reads it. */
export async function lookAtClusters(bus: Bus): Promise<ClustersOnBus> {
  const stop = new AbortController();
  try {
    return await followClusters(bus, () => undefined, stop.signal);
  } finally {
    stop.abort();
  }
}

/** What each cluster says of itself now; refused where a build of another version says it: a part would be taken for all. */
export async function listClustersOnBus(bus: Bus): Promise<ReadonlyMap<string, ClusterFacts>> {
  const { facts, otherVersions } = await lookAtClusters(bus);
  for (const [cluster, why] of otherVersions) throw refuseOtherVersion(`what cluster ${cluster} says of itself`, why);
  return facts;
}

/** Clusters that a stop on this scope stops: those whose executor acts; one that only observes moves nothing anyhow. */
export function listConcerned(facts: ReadonlyMap<string, ClusterFacts>, scope: string): readonly string[] {
  const names = [...facts.values()].filter(({ mode }) => mode === "act").map(({ cluster }) => cluster);
  return names.filter((name) => mayConcernCluster(scope, name)).toSorted();
}

/** Names of the namespaces that any cluster has published under a pattern of keys. */
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
