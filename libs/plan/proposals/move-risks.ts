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

/** They apply with force, so what meshroll wrote is no conflict for them: they put their label back. */
const forcing: readonly string[] = ["argocd-controller", "kustomize-controller"];

/**
 * Who applied the label of its template on the server: that one's next deploy with another revision is refused as a conflict with what
 * meshroll will have written.
 */
function findApplier({ workload, site }: JudgedWorkload): string | undefined {
  const { revisionManager } = workload;
  const isRefused = site.kind === "template" && revisionManager?.operation === "Apply";
  return isRefused && !forcing.includes(revisionManager.name) ? revisionManager.name : undefined;
}

/** Risks of what disruption its budget allows. */
function listBudgetRisks({ workload, inventory: { namespace }, run }: JudgedWorkload, head: Spec): readonly MoveRisk[] {
  const budget = judgeBudget({ workload, namespace, head, run });
  if (budget.kind === "ignored") return [{ code: "BudgetIgnored", why: budget.why }];
  return budget.kind === "tooSmall" && budget.reason.code === "BudgetAllowsNothing" ? [{ code: "NoDisruption" }] : [];
}

/** Risks of the workload itself: its replicas, its sidecar, its budget, who wrote its label. */
function listOwnRisks(each: JudgedWorkload, { head, factsOf }: Describing): readonly MoveRisk[] {
  const { cluster, workload, desired } = each;
  const manager = findApplier(each);
  const facts = factsOf.get(cluster);
  const pinned = facts === undefined ? undefined : foreseePinnedProxy(workload.template, desired, facts);
  const found: readonly (MoveRisk | false)[] = [
    workload.replicas === 0 && { code: "Idle" },
    workload.replicas === 1 && { code: "OneReplica" },
    pinned !== undefined && { code: "ProxyPinned", ...pinned },
    workload.argo?.needsPromotion === true && { code: "NeedsPromotion" },
    ...listBudgetRisks(each, head),
    manager !== undefined && { code: "AppliedByServer", manager },
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
