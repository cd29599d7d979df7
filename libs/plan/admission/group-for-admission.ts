import { asksForLabels, isUnlabelled } from "#libs/fleet";

import type { JudgedWorkloads } from "../index/index.ts";
import type { ClusterSnapshot } from "../records/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";

/** It is outside the mesh only because its new pods have no label yet. */
function lacksLabel({ state, inventory, workload }: JudgedWorkload): boolean {
  const isOutside = state.kind === "unmanaged" && state.reason.code === "NotInMesh";
  return isOutside && isUnlabelled(inventory.namespace, workload);
}

/**
 * The workloads that decide about the admission maps, by namespace: those that are managed, and, in a namespace that asks for labels,
 * those that would be with one.
 */
export function groupForAdmission(
  judged: JudgedWorkloads,
  namespaces: ClusterSnapshot["namespaces"],
): ReadonlyMap<string, readonly JudgedWorkload[]> {
  const groups = new Map<string, JudgedWorkload[]>();
  const add = (each: JudgedWorkload) => {
    // No pod of a group of VMs is admitted.
    if (each.workload.template.isVms === true) return;
    const group = groups.get(each.workload.namespace);
    if (group === undefined) groups.set(each.workload.namespace, [each]);
    else group.push(each);
  };
  for (const each of judged.list("managed")) add(each);
  for (const { namespace } of namespaces.values())
    if (asksForLabels(namespace)) for (const each of judged.judge(namespace.name)) if (lacksLabel(each)) add(each);
  return groups;
}
