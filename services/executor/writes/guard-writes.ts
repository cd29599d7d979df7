import type { Change, Cluster } from "#libs/kube";
import type { GuardName } from "#libs/runtime";

/** Empty: the API server takes the write whatever the object's version is. */
function forgetVersion(change: Change): Change {
  return { ...change, resourceVersion: "" };
}

/** The cluster as it is; with the guard `resource-version` switched off by a test its writes name no version. */
export function guardWrites(cluster: Cluster, unguarded: ReadonlySet<GuardName>): Cluster {
  if (!unguarded.has("resource-version")) return cluster;
  return {
    ...cluster,
    patchWorkload: async (ref, change) => cluster.patchWorkload(ref, forgetVersion(change)),
    patchNamespace: async (name, change) => cluster.patchNamespace(name, forgetVersion(change)),
  };
}
