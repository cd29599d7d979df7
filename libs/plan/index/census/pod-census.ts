import { type ControlPlane, effectiveRevision } from "#libs/injection";

import type { JudgedWorkload } from "../../workloads/index.ts";
import type { ClusterIndex } from "../cluster-index.ts";
import { listDifferences, type TreeNode } from "../namespace-tree.ts";

/** The revision of pods of workloads in the mesh; undefined stands for pods without a sidecar. */
type Revision = string | undefined;

/**
 * Whether a workload is managed, or would be if its labels' revision were served. Once none of its pods has a sidecar, only its
 * labels distinguish it from a workload that was never in the mesh.
 */
export function isOfMesh({ state, inventory, workload }: JudgedWorkload, facts: ControlPlane): boolean {
  if (state.kind !== "unmanaged") return true;
  const isLost = state.reason.code === "NotInMesh" && workload.pods.some(({ count }) => count > 0);
  return isLost && effectiveRevision(inventory.namespace, workload, facts).by !== undefined;
}

function listRunning(index: ClusterIndex, namespace: string, facts: ControlPlane): ReadonlySet<Revision> {
  const running = new Set<Revision>();
  for (const each of index.judge(namespace)) {
    if (!isOfMesh(each, facts)) continue;
    const { workload } = each;
    for (const { count, revision } of workload.pods) if (count > 0) running.add(revision);
  }
  return running;
}

/**
 * The revisions of pods of workloads in the mesh, by namespace of a cluster. It updates only what differs from the last call.
 */
class PodCensus {
  readonly #byNamespace = new Map<string, ReadonlySet<Revision>>();
  readonly #byRevision = new Map<Revision, Set<string>>();
  #root: TreeNode | undefined;

  count(index: ClusterIndex, facts: ControlPlane): ReadonlyMap<Revision, ReadonlySet<string>> {
    const { root } = index.tree;
    for (const namespace of listDifferences(this.#root, root)) this.#recount(namespace, index, facts);
    this.#root = root;
    return this.#byRevision;
  }

  #recount(namespace: string, index: ClusterIndex, facts: ControlPlane): void {
    for (const revision of this.#byNamespace.get(namespace) ?? []) {
      const namespaces = this.#byRevision.get(revision);
      namespaces?.delete(namespace);
      if (namespaces?.size === 0) this.#byRevision.delete(revision);
    }
    const running = listRunning(index, namespace, facts);
    if (running.size === 0) this.#byNamespace.delete(namespace);
    else this.#byNamespace.set(namespace, running);
    for (const revision of running) {
      const namespaces = this.#byRevision.get(revision) ?? new Set();
      this.#byRevision.set(revision, namespaces.add(namespace));
    }
  }
}

const known = new WeakMap<object, PodCensus>();

/** Namespaces of a cluster by their pods' revisions; the cost is in what changed since the last call. */
export function countPods(
  index: ClusterIndex,
  facts: ControlPlane,
): ReadonlyMap<string | undefined, ReadonlySet<string>> {
  const census = known.get(index.basis) ?? new PodCensus();
  known.set(index.basis, census);
  return census.count(index, facts);
}
