import { lookUp } from "#libs/input";
import {
  istioKeys,
  annotationKeys,
  hasFailureAnnotation,
  type Previous,
  type PreviousFields,
  parseAnnotations,
  parseRestartedFor,
  type PodTemplate,
  type ReadAnnotations,
  readRunning,
  renderPrevious,
  renderRestartedFor,
  renderRunAnnotation,
  type Workload,
} from "#libs/fleet";
import { printText, renderWorkloadReason } from "#libs/wording";

import { findOwnWrite } from "../writes/find-own-write.ts";
import { type Site, supportedNow } from "../sites/find-site.ts";
import { explainUnreadable, type MoveOrder, type ObjectChange, type Planned } from "../writes/object-change.ts";

type TemplateChange = NonNullable<ObjectChange["template"]>;

/** The values that these fields have now; null where a key is absent. */
export function readFields(now: Readonly<Record<string, string>>, fields: PreviousFields): PreviousFields {
  return Object.fromEntries(Object.keys(fields).map((key) => [key, lookUp(now, key) ?? null]));
}

/** The present values of the fields that the change writes. */
function capture(template: PodTemplate, change: TemplateChange): NonNullable<Previous["template"]> {
  return {
    ...(change.labels === undefined ? {} : { labels: readFields(template.labels, change.labels) }),
    ...(change.annotations === undefined ? {} : { annotations: readFields(template.annotations, change.annotations) }),
  };
}

/** Our label for this try is in place: the same move under a later commit must not restart it again. */
function isLabelOurs(marks: ReadAnnotations, order: MoveOrder): boolean {
  const { run, previous } = marks;
  const isSameTry = run !== undefined && run.target === order.target && run.attempt === order.attempt;
  return isSameTry && previous?.template?.labels?.[istioKeys.revision] !== undefined;
}

/** Our `restarted-for` for this try is in place: the same move must not restart it again. */
function isTokenOurs({ run, previous }: ReadAnnotations, order: MoveOrder): boolean {
  const isSameTry = run !== undefined && run.target === order.target && run.attempt === order.attempt;
  return isSameTry && previous?.template?.annotations?.[annotationKeys.restartedFor] !== undefined;
}

function planRestart(workload: Workload, order: MoveOrder, marks: ReadAnnotations): TemplateChange | undefined {
  // Without pods nothing has to restart: the label alone decides (rules 3.4).
  if (workload.replicas === 0) return undefined;
  const state = workload.template.annotations[annotationKeys.restartedFor];
  const before = state === undefined ? undefined : parseRestartedFor(state);
  if (before?.revision === order.target && before.attempt >= order.attempt) {
    if (isTokenOurs(marks, order)) return undefined;
    // The value on a copied template restarts nothing: the number of the try is raised.
    return { annotations: { [annotationKeys.restartedFor]: renderRestartedFor(order.target, before.attempt + 1) } };
  }
  const token = renderRestartedFor(order.target, order.attempt);
  return { annotations: { [annotationKeys.restartedFor]: token } };
}

/**
 * Where a move writes the template's label. One that `mutate` wrote is moved like any other: the rollout must not wait for the owner's
 * next build. Where there is none yet (`admission`) it is added: what an owner's manifest does not name, an apply leaves as it is.
 */
const labelSites: ReadonlySet<Site["kind"]> = new Set(["template", "manifest", "admission"]);

function planTemplate(
  workload: Workload,
  site: Site,
  order: MoveOrder,
  marks: ReadAnnotations,
): TemplateChange | undefined {
  if (!labelSites.has(site.kind)) return planRestart(workload, order, marks);
  const { labels, annotations } = workload.template;
  // The label asks for the target already, but the pods do not run it: only a restart is missing.
  if (labels[istioKeys.revision] === order.target) {
    return isLabelOurs(marks, order) ? undefined : planRestart(workload, order, marks);
  }
  const label = { [istioKeys.revision]: order.target };
  // A value of an earlier move would name another revision than the label.
  if (annotations[annotationKeys.restartedFor] === undefined) return { labels: label };
  return { labels: label, annotations: { [annotationKeys.restartedFor]: null } };
}

/**
 * The label to which the undo of a first label goes: the revision that the pods had. Without a label they would get what the admission
 * policy gives then, which may be the target.
 */
function findPresentRevision(workload: Workload, target: string): string | null {
  const running = readRunning(workload);
  if (running.kind === "all") return running.revision;
  return workload.admitted === target ? null : (workload.admitted ?? null);
}

/** A second write of the same move keeps the `previous` of the first, so that an undo restores what was there before both. */
function mergePrevious(workload: Workload, site: Site, template: TemplateChange, target: string): Previous {
  const captured = capture(workload.template, template);
  const state = findOwnWrite(workload);
  const earlier = state?.run.target === target ? state.previous.template : undefined;
  const first = site.kind === "admission" ? { [istioKeys.revision]: findPresentRevision(workload, target) } : {};
  const labels = { ...captured.labels, ...first, ...earlier?.labels };
  const annotations = { ...captured.annotations, ...earlier?.annotations };
  return {
    template: {
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
  };
}

/**
 * The annotations that every move writes on the object. A failure annotation is removed only when the move goes to that
 * revision again.
 */
export function planMarks(marks: ReadAnnotations, order: MoveOrder, previous: Previous | undefined): PreviousFields {
  const { run, target, attempt, unhealthyBefore = false } = order;
  return {
    [annotationKeys.run]: renderRunAnnotation({ run, target, attempt, unhealthyBefore }),
    ...(previous === undefined ? {} : { [annotationKeys.previous]: renderPrevious(previous) }),
    ...(hasFailureAnnotation(marks, target) ? { [annotationKeys.failed]: null } : {}),
  };
}

/** True when writing these annotations would change nothing. */
export function areMarksPresent(now: Readonly<Record<string, string>>, fields: PreviousFields): boolean {
  return Object.entries(fields).every(([key, value]) => (lookUp(now, key) ?? null) === value);
}

/**
 * One merge patch that moves a workload (rules 5.1–5.3): the label where the template has one, else `restarted-for`. Planned
 * again it gives the same template, whatever the commit.
 */
export function planMove(workload: Workload, site: Site, order: MoveOrder): Planned {
  const support = supportedNow(site);
  if (!support.ok) return { kind: "refused", why: printText(renderWorkloadReason(support.reason).message) };
  if (site.kind === "tag" && site.revision !== order.target) {
    const why = `revision tag ${site.tag} points to ${site.revision}: its owner moves it first`;
    return { kind: "refused", why };
  }
  const marks = parseAnnotations(workload);
  if (marks.kind === "unreadable") return { kind: "refused", why: explainUnreadable(marks, "the workload") };
  const template = planTemplate(workload, site, order, marks);
  const previous = template === undefined ? undefined : mergePrevious(workload, site, template, order.target);
  const annotations = planMarks(marks, order, previous);
  if (template === undefined && areMarksPresent(workload.annotations, annotations)) {
    return { kind: "nothing", why: `the workload was already written for ${order.target}` };
  }
  const { resourceVersion } = workload;
  return {
    kind: "write",
    change: { resourceVersion, annotations, ...(template === undefined ? {} : { template }) },
  };
}
