import type { VmGroupRef } from "#libs/fleet";
import type { SandboxCluster } from "#sandbox/fleet";

/** The cluster whose fleet has VMs. */
const home = "prod-use1-a";

/** A group of VMs in the demo's fleet. */
export interface DemoGroup extends VmGroupRef {
  readonly vms: number;
  /** The first three numbers of its VMs' addresses. */
  readonly net: string;
  /** A VM, by its number, that was switched off a day before. */
  readonly off?: number;
  /** A VM, by its number, whose proxy does not start on the new revision. */
  readonly broken?: number;
}

/** One that moves in the campaign's first stage, and one that moves in its last. */
export const demoGroups: readonly DemoGroup[] = [
  { cluster: home, namespace: "ledger-auth-staging", name: "auth-db", vms: 12, net: "10.64.1", off: 7 },
  { cluster: home, namespace: "ads-index", name: "indexer", vms: 40, net: "10.64.2", broken: 23 },
];

/** One VM of a group. */
export interface DemoVm {
  readonly group: DemoGroup;
  readonly name: string;
  readonly address: string;
  /** Its WorkloadEntry, as istiod names one. */
  readonly entry: string;
  readonly isOff: boolean;
  readonly isBroken: boolean;
}

export function listVms(group: DemoGroup): readonly DemoVm[] {
  return Array.from({ length: group.vms }, (_, index) => {
    const number = index + 1;
    const address = `${group.net}.${number}`;
    return {
      group,
      name: `${group.name}-${number}`,
      address,
      entry: `${group.name}-${address}`,
      isOff: group.off === number,
      isBroken: group.broken === number,
    };
  });
}

/** The revision that all VMs run when the demo begins. */
export const oldRevision = "1-24-5";

/** The cluster that has the VMs' objects. */
export function findHome(clusters: readonly SandboxCluster[]): SandboxCluster {
  const found = clusters.find(({ name }) => name === home);
  if (found === undefined) throw new Error(`bug: there is no cluster ${home}`);
  return found;
}

/** Adds the groups, as their owners have them, and the entries that istiod wrote of VMs that are on. */
export function addVmGroups(clusters: readonly SandboxCluster[]): void {
  const { model } = findHome(clusters);
  for (const group of demoGroups) {
    const { namespace: ns, name } = group;
    model.addWorkloadGroup({ ns, name, annotations: { "meshroll.dev/revision": oldRevision } });
    for (const { entry, address, isOff } of listVms(group))
      if (!isOff) model.addWorkloadEntry({ ns, name: entry, address, group: name, healthy: true });
  }
}
