import type { PodGroup, Workload } from "../facts.ts";
import { judgeVm, type VmQuestion, type VmState } from "./judge-vm.ts";
import type { Vm, VmCounts } from "../vm-facts.ts";

/** A count, or a percentage of the VMs of a group. */
type Share = number | { readonly percent: number };

/** @internal How many of so many VMs may be unavailable at once: percentages are rounded down, and one always may. */
export function countAllowedVms(share: Share, vms: number): number {
  return Math.max(1, typeof share === "number" ? share : Math.floor((share.percent * vms) / 100));
}

/** One VM of a group, judged. */
export interface JudgedVm {
  readonly vm: Vm;
  readonly state: VmState;
}

export function judgeVms(vms: readonly Vm[], question: VmQuestion): readonly JudgedVm[] {
  return vms.map((vm) => ({ vm, state: judgeVm(vm, question) }));
}

/** The figures of a workload that come from its VMs. */
export type VmFigures = Pick<Workload, "replicas" | "total" | "updated" | "available" | "pods"> & {
  readonly vms: VmCounts;
};

/** Unavailable VMs are not ready, whichever revision they run. */
function isAvailable({ state }: JudgedVm): boolean {
  return state === "ready" || state === "outdated";
}

/** VMs by the revision that they run, as pods are: sorted, so that equal VMs give equal values. */
function groupByRevision(present: readonly JudgedVm[]): readonly PodGroup[] {
  const groups = Map.groupBy(present, ({ vm }) => vm.report?.revision ?? "");
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([revision, own]) => ({
      ...(revision === "" ? {} : { revision }),
      count: own.length,
      ready: own.filter(isAvailable).length,
    }));
}

/** The figures of a group: what a Deployment's status says of its pods. VMs that are absent do not count. */
export function countVms(judged: readonly JudgedVm[], revision: string | undefined, share: Share): VmFigures {
  const present = judged.filter(({ state }) => state !== "absent");
  const count = (state: VmState) => judged.filter((each) => each.state === state).length;
  return {
    replicas: present.length,
    total: present.length,
    updated: present.filter(({ vm }) => revision !== undefined && vm.report?.revision === revision).length,
    available: present.filter(isAvailable).length,
    pods: groupByRevision(present),
    vms: {
      allowed: countAllowedVms(share, present.length),
      upgrading: count("upgrading"),
      failed: count("failed"),
      unknown: count("unknown"),
      unhealthy: count("unhealthy"),
      outdated: count("outdated"),
      absent: judged.length - present.length,
    },
  };
}

/** The revision that most VMs of a group run, for a group that no revision was written for; undefined where none says one. */
export function findUsualRevision(vms: readonly Vm[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { report, stopped } of vms) {
    const revision = report?.revision;
    if (stopped !== true && revision !== undefined && revision !== null)
      counts.set(revision, (counts.get(revision) ?? 0) + 1);
  }
  return [...counts].toSorted(([a, most], [b, more]) => more - most || (a < b ? -1 : 1))[0]?.[0];
}
