import type { WorkloadRef } from "#libs/fleet";

/** As written; a person may have typed an unknown kind. */
export interface WorkloadName {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

/** `namespace/Kind/name`: a workload's name within its cluster. */
export function nameWorkload(ref: WorkloadRef): string {
  return `${ref.namespace}/${ref.kind}/${ref.name}`;
}

/** The parts of such a name, from `nameWorkload` or typed by a person; missing parts are empty. */
export function parseWorkloadName(workload: string): WorkloadName {
  const [namespace = "", kind = "", name = ""] = workload.split("/");
  return { namespace, kind, name };
}

/** `cluster:namespace/Kind/name`: unique over the fleet. */
export function nameInFleet(cluster: string, workload: string): string {
  return `${cluster}:${workload}`;
}

/** The cluster and `namespace/Kind/name` in a name from `nameInFleet`. */
export function parseNameInFleet(name: string): { readonly cluster: string; readonly workload: string } {
  const colon = name.indexOf(":");
  return { cluster: name.slice(0, colon), workload: name.slice(colon + 1) };
}
