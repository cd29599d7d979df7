import { foreseePinnedProxy } from "#libs/injection";
import type { MoveRisk } from "#libs/wording";

import type { ClusterSnapshot, Spec } from "../records/index.ts";
import { judgeBudget, type JudgedWorkload } from "../workloads/index.ts";

/** The facts by which a proposal describes workloads: the files after it, and their clusters. */
export interface Describing {
  readonly head: Spec;
  readonly factsOf: ReadonlyMap<string, ClusterSnapshot["facts"]>;
}

/** How a group of VMs moves; undefined for other workloads, and for a group without VMs. */
function describeVms({ workload }: JudgedWorkload, { head: { settings } }: Describing): MoveRisk | undefined {
  const { vms, replicas } = workload;
  if (vms === undefined || replicas === 0) return undefined;
  return { code: "VmGroup", vms: replicas, allowed: vms.allowed, deadline: settings.vms.deadline };
}

/** Risks of the workload itself: its replicas, its sidecar, its budget. */
function listOwnRisks(
  { cluster, workload, inventory, run, desired }: JudgedWorkload,
  { head, factsOf }: Describing,
): readonly MoveRisk[] {
  const facts = factsOf.get(cluster);
  const pinned = facts === undefined ? undefined : foreseePinnedProxy(workload.template, desired, facts);
  const budget = judgeBudget({ workload, namespace: inventory.namespace, head, run });
  const isEmpty = budget.kind === "tooSmall" && budget.reason.code === "BudgetAllowsNothing";
  const found: readonly (MoveRisk | false)[] = [
    workload.replicas === 0 && { code: "Idle" },
    workload.replicas === 1 && { code: "OneReplica" },
    pinned !== undefined && { code: "ProxyPinned", ...pinned },
    workload.argo?.needsPromotion === true && { code: "NeedsPromotion" },
    isEmpty && { code: "NoDisruption" },
    budget.kind === "ignored" && { code: "BudgetIgnored", why: budget.why },
  ];
  return found.filter((risk) => risk !== false);
}

/** Why the owner of a workload may notice its restart. */
export function listRisks(each: JudgedWorkload, by: Describing): readonly MoveRisk[] {
  const { state } = each;
  const group = describeVms(each, by);
  const risks = group === undefined ? [...listOwnRisks(each, by)] : [group];
  if (state.kind === "pending" && state.unhealthyBefore) risks.push({ code: "UnhealthyBefore" });
  if (state.kind === "waiting" && state.reason.code !== "BudgetAllowsNothing")
    risks.push({ code: "Waiting", reason: state.reason });
  return risks;
}
