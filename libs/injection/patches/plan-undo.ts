import { lookUp } from "#libs/input";
import {
  type FailureAnnotation,
  annotationKeys,
  type Namespace,
  parseAnnotations,
  renderFailureAnnotation,
  type Workload,
} from "#libs/fleet";

import { isFieldOurs, listForeignFields, readLastWrite, type OwnWrite } from "../writes/find-own-write.ts";
import {
  explainUnreadable,
  isWorkload,
  type AnnotatedObject,
  type ObjectChange,
  type Planned,
} from "../writes/object-change.ts";

/** Labels of a namespace are restored one by one; those that its owner changed since stay. */
function restoreLabels(namespace: Namespace, write: OwnWrite): Pick<ObjectChange, "labels"> {
  const fields = Object.entries(write.previous.labels ?? {});
  const ours = fields.filter(([key]) => isFieldOurs(key, lookUp(namespace.labels, key), write));
  return ours.length === 0 ? {} : { labels: Object.fromEntries(ours) };
}

/** A template is restored as a whole or not at all: a part of it would restart the pods towards neither revision. */
function restoreTemplate(workload: Workload, write: OwnWrite): Pick<ObjectChange, "template"> {
  const { template } = write.previous;
  return template === undefined || listForeignFields(workload, write).length > 0 ? {} : { template };
}

function restore(object: AnnotatedObject): Pick<ObjectChange, "labels" | "template"> {
  const write = readLastWrite(object);
  if (write === undefined) return {};
  return isWorkload(object) ? restoreTemplate(object, write) : restoreLabels(object, write);
}

/**
 * Restores exactly what our last write changed, and with a failure adds the annotation in the same patch (rules 4.6). Without a
 * failure (an unhealthy workload's try, a write that main does not want) none is added. `run` stays as history.
 */
export function planUndo(object: AnnotatedObject, failure: FailureAnnotation | undefined): Planned {
  const marks = parseAnnotations(object);
  if (marks.kind === "unreadable") return { kind: "refused", why: explainUnreadable(marks, object.name) };
  const { previous } = marks;
  if (previous === undefined && failure === undefined) {
    return { kind: "nothing", why: `${object.name} has no write of meshroll to undo` };
  }
  const annotations = {
    ...(failure === undefined ? {} : { [annotationKeys.failed]: renderFailureAnnotation(failure) }),
    ...(previous === undefined ? {} : { [annotationKeys.previous]: null }),
  };
  return { kind: "write", change: { resourceVersion: object.resourceVersion, annotations, ...restore(object) } };
}
