import type { Namespace, Workload } from "#libs/fleet";
import { parseAnnotations } from "#libs/fleet";

import { type ControlPlane, effectiveRevision, resolveTarget } from "../sites/effective-revision.ts";
import { findOwnWrite, type OwnWrite } from "../writes/find-own-write.ts";
import { type Site, supportedNow } from "../sites/find-site.ts";
import type { AnnotatedObject, MoveOrder, Planned } from "../writes/object-change.ts";
import { applyFields, applyTemplate } from "./apply-change.ts";
import { planMarks, planMove, readFields } from "./plan-move.ts";
import { planNamespaceRelabel } from "./plan-namespace-relabel.ts";

/** What one write restores, and the revision that this leads to. */
interface Place {
  readonly namespace: Namespace;
  readonly cluster: ControlPlane;
}

/** Our write of an earlier move, still in place as a whole: what it replaced can be restored. */
function findEarlierWrite(object: AnnotatedObject, order: MoveOrder): OwnWrite | undefined {
  const write = findOwnWrite(object);
  return write === undefined || write.run.target === order.target ? undefined : write;
}

/** This very rollback was written already: planned again it gives the same template. */
function isReplay(object: AnnotatedObject, order: MoveOrder): boolean {
  const write = findOwnWrite(object);
  return write?.previous.restored === true && write.run.target === order.target && write.run.attempt >= order.attempt;
}

/** The present values of those fields, with which the rollback could be undone. */
function capture(workload: Workload, { template }: OwnWrite["previous"]) {
  const { labels, annotations } = workload.template;
  return {
    ...(template?.labels === undefined ? {} : { labels: readFields(labels, template.labels) }),
    ...(template?.annotations === undefined ? {} : { annotations: readFields(annotations, template.annotations) }),
  };
}

/**
 * One merge patch that rolls a workload back: exactly the earlier template where that leads to the target, so that the old
 * ReplicaSet is used again; else a move like any other.
 */
export function planRollback(workload: Workload, site: Site, order: MoveOrder, { namespace, cluster }: Place): Planned {
  if (isReplay(workload, order))
    return { kind: "nothing", why: `the workload was already put back to ${order.target}` };
  const write = findEarlierWrite(workload, order);
  const marks = parseAnnotations(workload);
  const template = write?.previous.template;
  if (write === undefined || template === undefined || marks.kind === "unreadable" || !supportedNow(site).ok) {
    return planMove(workload, site, order);
  }
  const leadsTo = effectiveRevision(namespace, applyTemplate(workload, template), cluster).revision;
  if (leadsTo !== resolveTarget(cluster, order.target)) return planMove(workload, site, order);
  const previous = { template: capture(workload, write.previous), restored: true } as const;
  const { resourceVersion } = workload;
  return { kind: "write", change: { resourceVersion, annotations: planMarks(marks, order, previous), template } };
}

/** The same for a namespace whose label decides: exactly its earlier labels, where they lead to the target (rules 5.2). */
export function planNamespaceRollback(
  namespace: Namespace,
  workload: Workload,
  order: MoveOrder,
  cluster: ControlPlane,
): Planned {
  if (isReplay(namespace, order)) {
    return { kind: "nothing", why: `namespace ${namespace.name} was already put back to ${order.target}` };
  }
  const write = findEarlierWrite(namespace, order);
  const marks = parseAnnotations(namespace);
  const labels = write?.previous.labels;
  if (labels === undefined || marks.kind === "unreadable") return planNamespaceRelabel(namespace, order);
  const before = { ...namespace, labels: applyFields(namespace.labels, labels) };
  const leadsTo = effectiveRevision(before, workload, cluster).revision;
  if (leadsTo !== resolveTarget(cluster, order.target)) return planNamespaceRelabel(namespace, order);
  const previous = { labels: readFields(namespace.labels, labels), restored: true } as const;
  const { resourceVersion } = namespace;
  return { kind: "write", change: { resourceVersion, annotations: planMarks(marks, order, previous), labels } };
}
