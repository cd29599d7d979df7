import type { ClusterIndex } from "../cluster-index.ts";
import { listDifferences, type TreeNode } from "../namespace-tree.ts";

/** What pods of managed workloads run; undefined stands for pods without a sidecar. */
type Revision = string | undefined;

function listRunning(index: ClusterIndex, namespace: string): ReadonlySet<Revision> {
  const running = new Set<Revision>();
  for (const { state, workload } of index.judge(namespace)) {
    if (state.kind === "unmanaged") continue;
    for (const { count, revision } of workload.pods) if (count > 0) running.add(revision);
  }
  return running;
}

/** In which namespaces of a cluster pods of managed workloads run what. It looks only at what differs from when it was asked last. */
class PodCensus {
  readonly #byNamespace = new Map<string, ReadonlySet<Revision>>();
  readonly #byRevision = new Map<Revision, Set<string>>();
  #root: TreeNode | undefined;

  count(index: ClusterIndex): ReadonlyMap<Revision, ReadonlySet<string>> {
    const { root } = index.tree;
    for (const namespace of listDifferences(this.#root, root)) this.#recount(namespace, index);
    this.#root = root;
    return this.#byRevision;
  }

  #recount(namespace: string, index: ClusterIndex): void {
    for (const revision of this.#byNamespace.get(namespace) ?? []) {
      const namespaces = this.#byRevision.get(revision);
      namespaces?.delete(namespace);
      if (namespaces?.size === 0) this.#byRevision.delete(revision);
    }
    const running = listRunning(index, namespace);
    if (running.size === 0) this.#byNamespace.delete(namespace);
    else this.#byNamespace.set(namespace, running);
    for (const revision of running) {
      const namespaces = this.#byRevision.get(revision) ?? new Set();
      this.#byRevision.set(revision, namespaces.add(namespace));
    }
  }
}

const known = new WeakMap<object, PodCensus>();

/** Namespaces of a cluster by what pods of their managed workloads run: costs what changed since it was last asked for. */
export function countPods(index: ClusterIndex): ReadonlyMap<string | undefined, ReadonlySet<string>> {
  const census = known.get(index.basis) ?? new PodCensus();
  known.set(index.basis, census);
  return census.count(index);
}
