import type { VmCounts } from "../vm-facts.ts";

/** VMs of a group that are unavailable, for whatever reason. */
export function countUnavailableVms({ upgrading, failed, unknown, unhealthy }: VmCounts): number {
  return upgrading + failed + unknown + unhealthy;
}

/** More VMs are known to be unavailable than may be at once. Those that are not heard of say nothing about the group's health. */
export function lacksVms({ allowed, upgrading, failed, unhealthy }: VmCounts): boolean {
  return upgrading + failed + unhealthy > allowed;
}

/**
 * How many broken VMs a group may have that counts as migrated: at most a tenth, because of thousands of VMs one is always broken.
 * In a group of fewer than ten every VM has to run the revision.
 */
function countTolerated({ allowed }: VmCounts, replicas: number): number {
  return Math.min(allowed, Math.floor(replicas / 10));
}

/** Every VM runs the group's revision, besides few that are broken or not heard of; none waits for its turn or is upgraded. */
export function haveAllMoved(vms: VmCounts, replicas: number): boolean {
  const { outdated, upgrading } = vms;
  return outdated + upgrading === 0 && countUnavailableVms(vms) <= countTolerated(vms, replicas);
}

/**
 * Whether a move without progress is stuck, and does not only wait for the next VM's turn: one is upgraded, or VMs that are known to be
 * broken leave no room, or are all that is left. VMs that are not heard of say nothing about the revision.
 */
export function isMoveInHand({ allowed, upgrading, failed, unhealthy, outdated }: VmCounts): boolean {
  const broken = failed + unhealthy;
  return upgrading > 0 || broken >= allowed || (outdated === 0 && broken > 0);
}
