import type { VmCounts, Workload } from "#libs/fleet";

const none = { upgrading: 0, failed: 0, unknown: 0, unhealthy: 0 };

/** All VMs of a group that is at rest are ready on its revision. */
export function settleVms({ allowed, absent }: VmCounts): VmCounts {
  return { allowed, absent, ...none, outdated: 0 };
}

/**
 * A group whose move has begun: all its VMs wait for their turn, which is spread over `vms.deadline`. `isDoomed`: its first VM never gets
 * ready.
 */
export function beginVmMove(workload: Workload, isDoomed: boolean): Workload {
  const { vms, replicas, generation } = workload;
  if (vms === undefined) return workload;
  const upgrading = isDoomed ? Math.min(1, replicas) : 0;
  const waiting = { ...settleVms(vms), upgrading, outdated: replicas - upgrading };
  return { ...workload, observedGeneration: generation, updated: 0, vms: waiting };
}
