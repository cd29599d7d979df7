import type { RevisionUse } from "#libs/fleet";

import type { PublishedVms } from "../../read/bus/read-vms.ts";
import type { ClusterUsage } from "./judge-retirement.ts";

/** What is known of VMs, by cluster; or why nothing is. */
export type VmUses = ReadonlyMap<string, readonly RevisionUse[]> | { readonly unread: string };

/** VMs that run the revision, or ran it when they were heard of last. */
export function listVmUses(groups: readonly PublishedVms[], revision: string): VmUses {
  const uses = groups.flatMap(({ group: { cluster, namespace, name }, rows }) => {
    const count = rows.vms.filter((vm) => vm.revision === revision).length;
    const what = `${namespace}/WorkloadGroup/${name}`;
    return count === 0 ? [] : [{ cluster, use: { as: "vms" as const, what, count } }];
  });
  const byCluster = Map.groupBy(uses, ({ cluster }) => cluster);
  return new Map([...byCluster].map(([cluster, own]) => [cluster, own.map(({ use }) => use)]));
}

/** The usage of a cluster with that of its VMs. */
export function addVms(each: ClusterUsage, vms: VmUses): ClusterUsage {
  if ("why" in each) return each;
  const { usage, name } = each;
  if ("unread" in vms) return { name, usage: { ...usage, unread: [...usage.unread, vms.unread] } };
  return { name, usage: { ...usage, uses: [...usage.uses, ...(vms.get(name) ?? [])] } };
}
