import type { SkippedFor } from "#libs/wording";

import { willRestart } from "./count-listed.ts";

/** A workload of a namespace that moves. */
interface Counted {
  readonly cluster: string;
  readonly pods: number;
  /** Of a group of VMs. */
  readonly vms?: number;
  readonly isMigrated: boolean;
  readonly skipped?: SkippedFor;
}

interface CountedMove {
  readonly namespace: string;
  readonly workloads: readonly Counted[];
}

/** What restarts in one cluster. */
export interface ClusterCounts {
  readonly cluster: string;
  readonly namespaces: number;
  readonly workloads: number;
  readonly pods: number;
  /** How many of the workloads are groups of VMs; absent where none is. */
  readonly vmGroups?: number;
  /** The VMs in them, which are no pods. */
  readonly vms?: number;
}

interface Sums {
  readonly namespaces: Set<string>;
  workloads: number;
  pods: number;
  vmGroups: number;
  vms: number;
}

function add(sums: Sums, { pods, vms }: Counted): void {
  sums.workloads += 1;
  sums.pods += pods;
  if (vms === undefined) return;
  sums.vmGroups += 1;
  sums.vms += vms;
}

/** Counts what moves by cluster. A namespace counts in each cluster that has one of its workloads. */
export function countClusters(moves: readonly CountedMove[]): readonly ClusterCounts[] {
  const counts = new Map<string, Sums>();
  for (const { namespace, workloads } of moves) {
    for (const each of workloads) {
      const sums = counts.get(each.cluster) ?? { namespaces: new Set(), workloads: 0, pods: 0, vmGroups: 0, vms: 0 };
      counts.set(each.cluster, sums);
      sums.namespaces.add(namespace);
      if (willRestart(each)) add(sums, each);
    }
  }
  return [...counts].map(([cluster, { namespaces, workloads, pods, vmGroups, vms }]) => ({
    cluster,
    namespaces: namespaces.size,
    workloads,
    pods,
    ...(vmGroups === 0 ? {} : { vmGroups, vms }),
  }));
}
