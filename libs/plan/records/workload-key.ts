import type { WorkloadRef } from "#libs/fleet";

/** `namespace/Kind/name`: how records, lists and people name a workload within its cluster. */
export function nameWorkload(ref: WorkloadRef): string {
  return `${ref.namespace}/${ref.kind}/${ref.name}`;
}

/** `cluster:namespace/Kind/name`: unique over the fleet. */
export function nameInFleet(cluster: string, workload: string): string {
  return `${cluster}:${workload}`;
}
