import { type TextLine, writeLine } from "../text-line.ts";

/** A group of VMs that is on the move: how many of its VMs are in which state. */
export interface VmGroupWords {
  /** `namespace/WorkloadGroup/name`. */
  readonly workload: string;
  /** Without those that are absent. */
  readonly vms: number;
  /** How many may be unavailable at once. */
  readonly allowed: number;
  readonly upgrading: number;
  readonly failed: number;
  readonly unknown: number;
  readonly unhealthy: number;
  readonly outdated: number;
  readonly absent: number;
}

const broken = ["failed", "unhealthy", "unknown"] as const;

/** `12 of 40 VMs upgraded, 4 upgrading, 1 failed, at most 4 unavailable at once`. */
export function printVmGroup(group: VmGroupWords): string {
  const { vms, upgrading, outdated, allowed } = group;
  const done = vms - outdated - upgrading - broken.reduce((sum, state) => sum + group[state], 0);
  const said = (["upgrading", ...broken] as const).filter((state) => group[state] > 0);
  const counts = said.map((state) => `${group[state]} ${state}`);
  return [`${done} of ${vms} VMs upgraded`, ...counts, `at most ${allowed} unavailable at once`].join(", ");
}

/** One group in a cluster's part of a run. */
export function lineVmGroup(cluster: string, group: VmGroupWords): TextLine {
  return writeLine(`${cluster}: ${group.workload}: ${printVmGroup(group)}`);
}
