import { annotationKeys, type FailureAnnotation, readAnnotations, type RunAnnotation } from "#libs/fleet";
import { type AnnotatedObject, findLead, findOwnWrite, planUndo, type Planned } from "#libs/injection";

import { findUnserved, type Unserved } from "../conditions/index.ts";
import type { ClusterSnapshot } from "../records/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";
import { makeRemediation, recordFailure, type Remediation, type RemediationInput } from "./remediation.ts";

/** Why new pods with this label would get no sidecar of its revision. */
function judgeLead(lead: string | undefined, { facts }: Pick<ClusterSnapshot, "facts">): Unserved | undefined {
  return lead === undefined ? undefined : findUnserved(facts, lead);
}

/** Why a pod of the workload would come back without its sidecar if it were deleted now. */
export function findRemakeObstacle(
  { inventory, workload }: JudgedWorkload,
  cluster: Pick<ClusterSnapshot, "facts">,
): Unserved | undefined {
  const change = { resourceVersion: workload.resourceVersion, template: {} };
  return judgeLead(findLead(inventory.namespace, workload, { object: "workload", change }, cluster.facts), cluster);
}

/** Why new pods after these writes would get no sidecar: a broken pod in the mesh is better than one outside of it. */
export function findObstacle(
  planned: readonly Remediation[],
  cluster: Pick<ClusterSnapshot, "facts">,
): Unserved | undefined {
  for (const { judged, write } of planned) {
    const lead = findLead(judged.inventory.namespace, judged.workload, write, cluster.facts);
    const obstacle = judgeLead(lead, cluster);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

/** Plans the undo, or while its revision is not served only the failure annotation: the undo follows later. */
export function undoOrAnnotate(
  planned: readonly Remediation[],
  failure: FailureAnnotation,
  { snapshot }: RemediationInput,
): readonly Remediation[] {
  const obstacle = findObstacle(planned, snapshot.cluster);
  if (obstacle === undefined) return planned;
  const { code, revision } = obstacle;
  return planned.map((each) => {
    const { object, change } = each.write;
    const bare = { resourceVersion: change.resourceVersion };
    const annotated = { ...each, reverts: false, obstacle, write: { object, change: bare } };
    return recordFailure(annotated, { ...failure, notPutBack: { code, revision } });
  });
}

/**
 * The undo that became possible. After the single attempt of a workload that was unhealthy before, the annotation is removed
 * too, because that was no failure of ours.
 */
function planOwed(object: AnnotatedObject, run: RunAnnotation | undefined, failed: FailureAnnotation): Planned {
  const { notPutBack: _, ...failure } = failed;
  if (run?.unhealthyBefore !== true) return planUndo(object, failure);
  const undo = planUndo(object, undefined);
  if (undo.kind !== "write") return undo;
  return {
    ...undo,
    change: { ...undo.change, annotations: { ...undo.change.annotations, [annotationKeys.failed]: null } },
  };
}

/**
 * The undo of a workload that failed while its earlier revision was not served, and is still broken. One that became ready
 * stays as it is, as does one that its owner, another run or an opt-out has taken over.
 */
export function planOwedUndo(each: JudgedWorkload): readonly Remediation[] {
  const { workload, inventory, state } = each;
  if (state.kind !== "skipped" || state.failureAnnotation === undefined) return [];
  const target = findOwnWrite(workload)?.run.target;
  for (const object of [inventory.namespace, workload]) {
    const { run, failed } = readAnnotations(object) ?? {};
    if (failed?.notPutBack === undefined || failed.revision !== target) continue;
    const where = object === workload ? "workload" : "namespace";
    const why = { code: "ServedAgain", failure: failed.reason } as const;
    return makeRemediation("finishUndo", each, where, planOwed(object, run, failed), why);
  }
  return [];
}

/** An undo that waits, and why. */
export interface HeldUndo {
  readonly key: string;
  readonly obstacle: Unserved;
}

/** Undos that are due, and those that wait until their revision is served. */
export function holdUnserved(
  undoes: readonly Remediation[],
  cluster: Pick<ClusterSnapshot, "facts">,
): { readonly ready: readonly Remediation[]; readonly held: readonly HeldUndo[] } {
  const ready: Remediation[] = [];
  const held: HeldUndo[] = [];
  for (const each of undoes) {
    const obstacle = findObstacle([each], cluster);
    if (obstacle === undefined) ready.push(each);
    else held.push({ key: each.judged.key, obstacle });
  }
  return { ready, held };
}
