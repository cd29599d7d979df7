import type { Namespace, Workload } from "#libs/fleet";
import { type BatchItem, planPatch, type WorkloadStanding } from "#libs/plan";

import { changeNamespace, changeWorkload } from "./change-object.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

/** The workloads of a batch after the patches that an executor would write, and the namespaces whose label decides. */
export interface Patched {
  readonly workloads: Workload[];
  readonly namespaces: Map<string, Namespace>;
}

/** Writes as the executor does: the namespace first where its label decides, then the workload. */
export function patchItem(
  cluster: SimulatedCluster,
  run: string,
  item: BatchItem,
  standing: WorkloadStanding,
  patched: Patched,
): void {
  const { namespace: name } = item;
  const changed = patched.namespaces.get(name);
  const seen =
    changed === undefined
      ? standing
      : { ...standing, inventory: { ...standing.inventory, namespace: changed }, namespaceBegun: true };
  const { attempt, unhealthyBefore } = item;
  const write = planPatch(seen, { run, attempt, unhealthyBefore }, cluster.facts);
  if (write.kind === "none") return;
  if (write.object === "workload") {
    patched.workloads.push(changeWorkload(standing.workload, write.change));
    return;
  }
  patched.namespaces.set(name, changeNamespace(seen.inventory.namespace, write.change));
  patchItem(cluster, run, item, standing, patched);
}
