import type { ClusterFacts, NamespaceInventory, OtherPods, RevisionUse, Workload } from "#libs/fleet";

import { findAskedByTemplate, listAskedByNamespace, resolveTarget } from "../sites/effective-revision.ts";

/** One cluster, as it is published. */
export interface UsedCluster {
  readonly facts: Pick<ClusterFacts, "revisions" | "tags">;
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
}

/** Live pods of one owner. */
export interface PodUse extends RevisionUse {
  readonly namespace: string;
  /** Their owner is none of the workloads: of another kind, or gone. */
  readonly isOther: boolean;
}

/** Who uses one revision in one cluster. */
export interface RevisionUsers {
  /** Live pods that were injected with it, by who owns them. */
  readonly pods: readonly PodUse[];
  /** What gives new pods to it: labels of namespaces, templates whose pods do not run it yet or any more, tags. */
  readonly asks: readonly RevisionUse[];
  /** Pods that have ended: nothing of theirs runs, and they go with their owner. */
  readonly completed: readonly RevisionUse[];
  readonly failed: readonly RevisionUse[];
}

type Found = { readonly [K in keyof RevisionUsers]: RevisionUsers[K][number][] };

/** Users by revision, made as they are found. */
class Users {
  readonly found = new Map<string, Found>();

  of(revision: string): Found {
    const known = this.found.get(revision) ?? { pods: [], asks: [], completed: [], failed: [] };
    this.found.set(revision, known);
    return known;
  }
}

function nameOther(namespace: string, { kind, name = "…" }: OtherPods): string {
  return `${namespace}/${kind}/${name}`;
}

function addOther(users: Users, namespace: string, each: OtherPods): void {
  const found = users.of(each.revision);
  const use = (count: number) => ({ as: "pods", what: nameOther(namespace, each), count }) as const;
  if (each.live > 0) found.pods.push({ ...use(each.live), namespace, isOther: true });
  if (each.completed > 0) found.completed.push(use(each.completed));
  if (each.failed > 0) found.failed.push(use(each.failed));
}

function addWorkload(users: Users, cluster: UsedCluster, inventory: NamespaceInventory, workload: Workload): void {
  const what = `${workload.namespace}/${workload.kind}/${workload.name}`;
  const running = new Set<string>();
  for (const { revision, count } of workload.pods) {
    if (revision === undefined || count <= 0) continue;
    running.add(revision);
    users.of(revision).pods.push({ as: "pods", what, count, namespace: workload.namespace, isOther: false });
  }
  // Both: without the admission policy the label counts again.
  const asked = [findAskedByTemplate(inventory.namespace, workload.template), workload.admitted];
  const revisions = new Set(asked.flatMap((name) => (name === undefined ? [] : resolveTarget(cluster.facts, name))));
  for (const revision of revisions)
    if (!running.has(revision)) users.of(revision).asks.push({ as: "template", what, count: 1 });
}

function addNamespace(users: Users, cluster: UsedCluster, inventory: NamespaceInventory): void {
  const { namespace, workloads, others = [] } = inventory;
  for (const name of listAskedByNamespace(namespace)) {
    const use = { as: "namespace", what: `Namespace/${namespace.name}`, count: 1 } as const;
    users.of(resolveTarget(cluster.facts, name)).asks.push(use);
  }
  for (const workload of workloads) addWorkload(users, cluster, inventory, workload);
  for (const each of others) addOther(users, namespace.name, each);
}

/**
 * Who uses which revision in a cluster, by revision: every live injected pod whatever owns it, and everything that is published of what
 * would give new pods to it. What is not published (Jobs and CronJobs without pods, Istio's configuration) only `retire` reads.
 */
export function listRevisionUsers(cluster: UsedCluster): ReadonlyMap<string, RevisionUsers> {
  const users = new Users();
  for (const [tag, revision] of Object.entries(cluster.facts.tags))
    users.of(revision).asks.push({ as: "tag", what: `tag/${tag}`, count: 1 });
  for (const inventory of cluster.namespaces.values()) addNamespace(users, cluster, inventory);
  return users.found;
}
