import type { AuditedObject, AuditedWrite } from "../../evidence/evidence.ts";
import { groupPath, splitAnnotations } from "../../evidence/vm-groups.ts";
import { digPart, type Part } from "../files/dig.ts";

type Texts = Readonly<Record<string, string>>;

/** The four maps of an object that patches change and the auditor reads. */
export interface ObjectState {
  readonly labels: Texts;
  readonly annotations: Texts;
  readonly templateLabels: Texts;
  readonly templateAnnotations: Texts;
}

export const stateFields = ["labels", "annotations", "templateLabels", "templateAnnotations"] as const;

/** Where each of them is in a Kubernetes object. */
const placeOf: Readonly<Record<(typeof stateFields)[number], readonly string[]>> = {
  labels: ["metadata", "labels"],
  annotations: ["metadata", "annotations"],
  templateLabels: ["spec", "template", "metadata", "labels"],
  templateAnnotations: ["spec", "template", "metadata", "annotations"],
};

const nothing = { labels: {}, annotations: {} };

export function startState(object: Pick<AuditedObject, "labels" | "annotations" | "template"> = nothing): ObjectState {
  const { labels, annotations, template = nothing } = object;
  return { labels, annotations, templateLabels: template.labels, templateAnnotations: template.annotations };
}

/** A merge patch of one map (RFC 7396): null removes. */
function merge(texts: Texts, patch: Part): Texts {
  const keys = Object.keys(patch);
  if (keys.length === 0) return texts;
  const merged = new Map(Object.entries(texts));
  for (const key of keys) {
    const value = patch[key];
    if (typeof value === "string") merged.set(key, value);
    else merged.delete(key);
  }
  return Object.fromEntries(merged);
}

/** A WorkloadGroup's own template is not what is moved. */
function applyToGroup(state: ObjectState, body: unknown): ObjectState {
  const { own, labels, annotations } = splitAnnotations(digPart(body, ...placeOf.annotations));
  return {
    labels: merge(state.labels, digPart(body, ...placeOf.labels)),
    annotations: merge(state.annotations, own),
    templateLabels: merge(state.templateLabels, labels),
    templateAnnotations: merge(state.templateAnnotations, annotations),
  };
}

export function applyWrite(state: ObjectState, { path, body }: AuditedWrite): ObjectState {
  if (groupPath.test(path)) return applyToGroup(state, body);
  return {
    labels: merge(state.labels, digPart(body, ...placeOf.labels)),
    annotations: merge(state.annotations, digPart(body, ...placeOf.annotations)),
    templateLabels: merge(state.templateLabels, digPart(body, ...placeOf.templateLabels)),
    templateAnnotations: merge(state.templateAnnotations, digPart(body, ...placeOf.templateAnnotations)),
  };
}

/** Keys of a map that differ between two states. */
export function listChanged(before: Texts, after: Texts): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key]);
}
