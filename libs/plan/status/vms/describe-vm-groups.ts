import type { VmGroupWords } from "#libs/wording";

import type { JudgedWorkload } from "../../workloads/index.ts";

/** Most groups of one cluster. */
const mostGroups = 10;

/** The groups of VMs among workloads that roll, in their order; no field where there is none. */
export function describeVmGroups(rolling: Iterable<JudgedWorkload>): { readonly vms?: readonly VmGroupWords[] } {
  const found: VmGroupWords[] = [];
  for (const { key, workload } of rolling) {
    const { vms, replicas } = workload;
    if (vms !== undefined && found.length < mostGroups) found.push({ workload: key, vms: replicas, ...vms });
  }
  return found.length === 0 ? {} : { vms: found };
}
