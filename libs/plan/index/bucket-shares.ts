import { readRunning } from "#libs/fleet";

import type { Spec } from "../records/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";
import type { ClusterIndex } from "./cluster-index.ts";
import { listDifferences, type TreeNode } from "./namespace-tree.ts";

/** The revisions of a namespace's managed workloads; undefined stands for several, or an unknown one. */
type Running = ReadonlySet<string | undefined>;

/** One namespace over the fleet: the same name in two clusters is one namespace. */
interface Entry {
  readonly bucket: string;
  readonly byCluster: Map<string, Running>;
}

/** Namespaces of a bucket by revision; undefined = several, or an unknown one. */
export type RevisionCounts = ReadonlyMap<string | undefined, number>;

function listRunning(managed: readonly JudgedWorkload[], desired: (each: JudgedWorkload) => string): Running {
  return new Set(
    managed.map((each) => {
      const found = readRunning(each.workload);
      return found.kind === "all" ? found.revision : found.kind === "empty" ? desired(each) : undefined;
    }),
  );
}

function readRunningOf(index: ClusterIndex, namespace: string): Running | undefined {
  const managed = index.judge(namespace).filter((each) => each.state.kind !== "unmanaged");
  return managed.length === 0 ? undefined : listRunning(managed, ({ desired }) => desired);
}

/**
 * The one revision that all these managed workloads of a namespace run; undefined where they differ, or one is in transition. A
 * workload without pods counts as running `desired`.
 */
export function nameRunningRevision(managed: readonly JudgedWorkload[], desired: string): string | undefined {
  const running = listRunning(managed, () => desired);
  const [revision] = running;
  return running.size === 1 ? revision : undefined;
}

/** The one revision of a namespace over its clusters; undefined where they differ. */
function nameCommonRevision({ byCluster }: Entry): string | undefined {
  let common: string | undefined;
  for (const running of byCluster.values()) {
    const [revision] = running;
    if (running.size > 1 || revision === undefined || (common !== undefined && common !== revision)) return undefined;
    common = revision;
  }
  return common;
}

/** The counts of one cluster. */
interface Counted {
  readonly basis: object;
  readonly root: TreeNode | undefined;
}

/**
 * Counts namespaces of the fleet by bucket and revision. It updates only what differs from the last fleet, and its counts
 * depend on the present fleet only.
 */
class BucketShares {
  readonly #head: Spec;
  readonly #entries = new Map<string, Entry>();
  readonly #counts = new Map<string, Map<string | undefined, number>>();
  readonly #counted = new Map<string, Counted>();

  constructor(head: Spec) {
    this.#head = head;
  }

  /** By bucket pattern. */
  count(fleet: ReadonlyMap<string, ClusterIndex>): ReadonlyMap<string, RevisionCounts> {
    for (const [name, { root }] of this.#counted) {
      if (fleet.has(name)) continue;
      for (const namespace of listDifferences(root, undefined)) this.#change(namespace, name, undefined);
      this.#counted.delete(name);
    }
    for (const [name, index] of fleet) this.#follow(name, index);
    return this.#counts;
  }

  #follow(name: string, index: ClusterIndex): void {
    const before = this.#counted.get(name);
    const { basis, tree } = index;
    if (before?.basis === basis && before.root === tree.root) return;
    this.#counted.set(name, { basis, root: tree.root });
    for (const namespace of listDifferences(before?.root, tree.root)) this.#recount(namespace, name, index);
    // After other facts changed, even unchanged workloads may be managed or desired differently.
    if (before !== undefined && before.basis !== basis) {
      for (const namespace of tree.keys()) this.#recount(namespace, name, index);
    }
  }

  #recount(namespace: string, cluster: string, index: ClusterIndex): void {
    this.#change(namespace, cluster, readRunningOf(index, namespace));
  }

  #change(namespace: string, cluster: string, running: Running | undefined): void {
    const bucket = this.#head.resolver.resolve(namespace).bucket.pattern;
    const entry = this.#entries.get(namespace) ?? { bucket, byCluster: new Map<string, Running>() };
    this.#add(entry, -1);
    if (running === undefined) entry.byCluster.delete(cluster);
    else entry.byCluster.set(cluster, running);
    this.#add(entry, 1);
    if (entry.byCluster.size === 0) this.#entries.delete(namespace);
    else this.#entries.set(namespace, entry);
  }

  #add(entry: Entry, sign: 1 | -1): void {
    if (entry.byCluster.size === 0) return;
    const counts = this.#counts.get(entry.bucket) ?? new Map<string | undefined, number>();
    this.#counts.set(entry.bucket, counts);
    const revision = nameCommonRevision(entry);
    counts.set(revision, (counts.get(revision) ?? 0) + sign);
  }
}

const shares = new WeakMap<Spec, BucketShares>();

/** Namespaces of the fleet by bucket and revision; the cost is in what changed since the last call for this head. */
export function countShares(head: Spec, fleet: ReadonlyMap<string, ClusterIndex>): ReadonlyMap<string, RevisionCounts> {
  const known = shares.get(head) ?? new BucketShares(head);
  shares.set(head, known);
  return known.count(fleet);
}
