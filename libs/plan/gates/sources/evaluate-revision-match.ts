import type { PodGroup, Workload } from "#libs/fleet";
import { resolveTarget } from "#libs/injection";

import type { RunClass } from "../../index/index.ts";
import type { GateOf, GateReading, GateContext } from "../reading.ts";

/** During the run only migrated workloads are measured; afterwards all that were not skipped. */
const settled: readonly RunClass[] = ["migrated"];
const allClasses: readonly RunClass[] = ["migrated", "migrating", "pending", "pendingLast", "waiting"];

function sum(pods: readonly PodGroup[]): number {
  return pods.reduce((all, { count }) => all + count, 0);
}

/**
 * VMs with which their group counts as migrated although they are broken or not heard of: as skipped workloads, they are named elsewhere.
 */
function countLeftBehind({ vms }: Workload): number {
  return vms === undefined ? 0 : vms.failed + vms.unhealthy + vms.unknown;
}

function countPods({ view, seen, moment }: GateContext): { readonly matching: number; readonly all: number } {
  let [matching, all] = [0, 0];
  for (const { name, facts } of seen) {
    for (const { workload, desired } of view.clusters.get(name)?.list(moment === "after" ? allClasses : settled) ??
      []) {
      const target = resolveTarget(facts, desired);
      const own = sum(workload.pods.filter(({ revision }) => revision === target));
      matching += own;
      all += own + Math.max(0, sum(workload.pods) - own - countLeftBehind(workload));
    }
  }
  return { matching, all };
}

/** Pods on the injected desired revision. Skipped workloads do not count. */
export function evaluateRevisionMatch(gate: GateOf<"revisionMatch">, context: GateContext): GateReading {
  const { matching, all } = countPods(context);
  const { minRatio: limit } = gate;
  const asked = { kind: "revisionMatch", run: context.view.run.id } as const;
  if (all === 0) return { verdict: "pass", found: { code: "NoPods" }, limit, asked };
  const value = matching / all;
  const found = { code: "MatchingPods", matching, all, minRatio: limit } as const;
  return { verdict: value < limit ? "fail" : "pass", found, value, limit, asked };
}
