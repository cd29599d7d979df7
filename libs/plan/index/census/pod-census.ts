import { type ControlPlane, effectiveRevision } from "#libs/injection";

import type { JudgedWorkload } from "../../workloads/index.ts";
import type { ClusterIndex } from "../cluster-index.ts";
import { listDifferences, type TreeNode } from "../namespace-tree.ts";

/** What pods of workloads run. Without a revision: no sidecar, of workloads in the mesh. */
export interface RunningProxy {
  readonly revision?: string;
  /** Where it is another one than most pods of the revision have in this cluster. */
  readonly image?: string;
}

/** A proxy, and the namespaces in which it runs. */
export interface CountedProxy extends RunningProxy {
  readonly namespaces: ReadonlySet<string>;
}

/**
 * Whether a workload is managed, or would be if its labels' revision were served. Once none of its pods has a sidecar, only its
 * labels distinguish it from a workload that was never in the mesh.
 */
export function isOfMesh({ state, inventory, workload }: JudgedWorkload, facts: ControlPlane): boolean {
  if (state.kind !== "unmanaged") return true;
  const isLost = state.reason.code === "NotInMesh" && workload.pods.some(({ count }) => count > 0);
  return isLost && effectiveRevision(inventory.namespace, workload, facts).by !== undefined;
}

/** Neither a revision nor an image has a space in it. */
function nameProxy({ revision, image = "" }: RunningProxy): string {
  return revision === undefined ? "" : `${revision} ${image}`;
}

function listRunning(index: ClusterIndex, namespace: string, facts: ControlPlane): ReadonlyMap<string, RunningProxy> {
  const running = new Map<string, RunningProxy>();
  for (const each of index.judge(namespace)) {
    for (const { count, revision, image } of each.workload.pods) {
      if (count <= 0 || (revision === undefined && !isOfMesh(each, facts))) continue;
      const proxy = { ...(revision === undefined ? {} : { revision }), ...(image === undefined ? {} : { image }) };
      running.set(nameProxy(proxy), proxy);
    }
  }
  return running;
}

interface Counting extends RunningProxy {
  readonly namespaces: Set<string>;
}

/**
 * The proxies of a cluster's pods, by namespace. It updates only what differs from the last call.
 */
class PodCensus {
  readonly #byNamespace = new Map<string, ReadonlyMap<string, RunningProxy>>();
  readonly #byProxy = new Map<string, Counting>();
  #root: TreeNode | undefined;

  count(index: ClusterIndex, facts: ControlPlane): Iterable<CountedProxy> {
    const { root } = index.tree;
    for (const namespace of listDifferences(this.#root, root)) this.#recount(namespace, index, facts);
    this.#root = root;
    return this.#byProxy.values();
  }

  #recount(namespace: string, index: ClusterIndex, facts: ControlPlane): void {
    for (const name of this.#byNamespace.get(namespace)?.keys() ?? []) {
      const counting = this.#byProxy.get(name);
      counting?.namespaces.delete(namespace);
      if (counting?.namespaces.size === 0) this.#byProxy.delete(name);
    }
    const running = listRunning(index, namespace, facts);
    if (running.size === 0) this.#byNamespace.delete(namespace);
    else this.#byNamespace.set(namespace, running);
    for (const [name, proxy] of running) {
      const counting = this.#byProxy.get(name) ?? { ...proxy, namespaces: new Set() };
      counting.namespaces.add(namespace);
      this.#byProxy.set(name, counting);
    }
  }
}

const known = new WeakMap<object, PodCensus>();

/** The proxies that pods of a cluster run, with their namespaces; the cost is in what changed since the last call. */
export function countPods(index: ClusterIndex, facts: ControlPlane): Iterable<CountedProxy> {
  const census = known.get(index.basis) ?? new PodCensus();
  known.set(index.basis, census);
  return census.count(index, facts);
}
