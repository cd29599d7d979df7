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

/** Labels of a namespace are put back one by one: what its owner wrote since stays. */
function restoreLabels(namespace: Namespace, write: OwnWrite): Pick<ObjectChange, "labels"> {
  const fields = Object.entries(write.previous.labels ?? {});
  const ours = fields.filter(([key]) => isFieldOurs(key, lookUp(namespace.labels, key), write));
  return ours.length === 0 ? {} : { labels: Object.fromEntries(ours) };
}

/** A template is put back whole or not at all: half of it would be one more restart towards nothing. */
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
 * Puts back exactly what our last write changed, and with a failure marks the object, in one patch (rules 4.6). Without one
 * (the try of an unhealthy workload, a write that main does not demand) nothing is marked. `run` stays: it keeps the history.
 */
export function planUndo(object: AnnotatedObject, failure: FailureAnnotation | undefined): Planned {
  const marks = parseAnnotations(object);
  if (marks.kind === "unreadable") return { kind: "refused", why: explainUnreadable(marks, object.name) };
  const { previous } = marks;
  if (previous === undefined && failure === undefined) {
    return { kind: "nothing", why: `no write of meshroll stands on ${object.name}` };
  }
  const annotations = {
    ...(failure === undefined ? {} : { [annotationKeys.failed]: renderFailureAnnotation(failure) }),
    ...(previous === undefined ? {} : { [annotationKeys.previous]: null }),
  };
  return { kind: "write", change: { resourceVersion: object.resourceVersion, annotations, ...restore(object) } };
}
