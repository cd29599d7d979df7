import type { WorkloadRef } from "#libs/fleet";
import type { Change, Cluster, WriteOutcome } from "#libs/kube";

/** Writes to the workload, or to its namespace where that one's label decides. */
export async function sendWrite(
  cluster: Pick<Cluster, "patchNamespace" | "patchWorkload">,
  ref: WorkloadRef,
  { object, change }: { readonly object: "namespace" | "workload"; readonly change: Change },
): Promise<WriteOutcome> {
  return object === "namespace" ? cluster.patchNamespace(ref.namespace, change) : cluster.patchWorkload(ref, change);
}
