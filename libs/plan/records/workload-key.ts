import type { WorkloadRef } from "#libs/fleet";

/** As it is written; what a person typed may be of no kind that there is. */
export interface WorkloadName {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

/** `namespace/Kind/name`: how records, lists and people name a workload within its cluster. */
export function nameWorkload(ref: WorkloadRef): string {
  return `${ref.namespace}/${ref.kind}/${ref.name}`;
}

/** The same by its parts, of a name that `nameWorkload` made or a person typed; a part that is not there is empty. */
export function parseWorkloadName(workload: string): WorkloadName {
  const [namespace = "", kind = "", name = ""] = workload.split("/");
  return { namespace, kind, name };
}

/** `cluster:namespace/Kind/name`: unique over the fleet. */
export function nameInFleet(cluster: string, workload: string): string {
  return `${cluster}:${workload}`;
}

/** The cluster and `namespace/Kind/name` of a name that `nameInFleet` made. */
export function parseNameInFleet(name: string): { readonly cluster: string; readonly workload: string } {
  const colon = name.indexOf(":");
  return { cluster: name.slice(0, colon), workload: name.slice(colon + 1) };
}
