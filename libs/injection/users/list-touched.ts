import { istioKeys, type Namespace, type NamespaceInventory, type OtherPods, type Workload } from "#libs/fleet";
import type { RefusedReason } from "#libs/wording";

import { isGatewayTemplate } from "../judging/judge-managed.ts";
import { type JudgedPlane, judgeRefused } from "../judging/judge-refused.ts";
import { type ControlPlane, isInjectionOff, resolveTarget } from "../sites/effective-revision.ts";
import { findSite } from "../sites/find-site.ts";

/**
 * Workloads whose new pods get another revision when their namespace's label changes, although meshroll does not restart them.
 */
export interface Touched {
  readonly kind: string;
  /** Absent = several of that kind. */
  readonly name?: string;
  /** Live ones that do not run the target. */
  readonly pods: number;
  /** `managedGateway`: istiod deploys it by itself, and rolls it out as soon as the label changes. */
  readonly as: "gateway" | "managedGateway" | "skipped" | "other";
  /** Of `skipped`: why it is not moved. */
  readonly reason?: RefusedReason;
}

export interface TouchQuestion {
  readonly inventory: NamespaceInventory;
  readonly cluster: JudgedPlane;
  readonly target: string;
  /** `meshroll.yml: gateways`: with `move` those that are injected are moved as any workload. */
  readonly gateways: "move" | "hold";
}

const nothing: readonly Touched[] = [];

/** The label by which the namespace gives its pods to a revision; undefined where its labels decide nothing. */
function hasDecidingLabel({ labels, terminating }: Namespace): boolean {
  const injection = labels[istioKeys.injection];
  const isOff = injection !== undefined && injection !== "enabled";
  return !terminating && !isOff && (injection === "enabled" || (labels[istioKeys.revision] ?? "") !== "");
}

/** What of it a relabel leaves behind; undefined where it is moved, or where its namespace's label does not decide. */
function nameWay(
  { inventory, cluster, target, gateways }: TouchQuestion,
  workload: Workload,
): Pick<Touched, "as" | "reason"> | undefined {
  const { namespace } = inventory;
  const { template } = workload;
  if (findSite(namespace, workload, cluster, target).kind !== "namespace") return undefined;
  // Its Gateway's own label, which istiod copies here, goes before that of the namespace.
  if (template.labels[istioKeys.managedGateway] !== undefined)
    return template.labels[istioKeys.revision] === undefined ? { as: "managedGateway" } : undefined;
  if (isInjectionOff(template) || template.hostNetwork) return undefined;
  if (isGatewayTemplate(template) && gateways === "hold") return { as: "gateway" };
  const refusal = judgeRefused(namespace, workload, cluster, target);
  return refusal.refused ? { as: "skipped", reason: refusal.reason } : undefined;
}

function countElsewhere({ pods }: Workload, revision: string): number {
  return pods.reduce((sum, group) => {
    return group.revision === undefined || group.revision === revision ? sum : sum + group.count;
  }, 0);
}

function describeOther({ kind, name, live }: OtherPods): Touched {
  return { kind, ...(name === undefined ? {} : { name }), pods: live, as: "other" };
}

/** Whether the label has still to change for the target. */
function isRelabelDue({ labels }: Namespace, cluster: ControlPlane, target: string): boolean {
  const name = labels[istioKeys.injection] === "enabled" ? "default" : (labels[istioKeys.revision] ?? "");
  return resolveTarget(cluster, name) !== resolveTarget(cluster, target);
}

/**
 * Who is touched by a change of the namespace's label to the target and not moved: gateways, workloads that are skipped, and injected
 * pods of other owners. Once the label is changed, those of them that are still on another revision.
 */
export function listTouched(question: TouchQuestion): readonly Touched[] {
  const { inventory, cluster, target } = question;
  const { namespace, workloads, others = [] } = inventory;
  if (!hasDecidingLabel(namespace)) return nothing;
  const revision = resolveTarget(cluster, target);
  const isDue = isRelabelDue(namespace, cluster, target);
  const own = workloads.flatMap((workload): readonly Touched[] => {
    const pods = countElsewhere(workload, revision);
    const way = isDue || pods > 0 ? nameWay(question, workload) : undefined;
    return way === undefined ? [] : [{ kind: workload.kind, name: workload.name, pods, ...way }];
  });
  // Below a tag no label changes.
  const isTag = workloads.some((each) => findSite(namespace, each, cluster, target).kind === "tag");
  const more = isTag ? [] : others.filter((each) => each.live > 0 && each.revision !== revision).map(describeOther);
  return own.length + more.length === 0 ? nothing : [...own, ...more];
}
