import { annotationKeys, istioKeys, type Marks, parseAnnotations } from "#libs/fleet";
import { isGatewayTemplate, isInjectionOff } from "#libs/injection";
import type { ManifestReason } from "#libs/wording";

import type { ManifestObject } from "../objects/manifest-object.ts";
import { findTarget, type PodTarget, readValues } from "./find-target.ts";
import type { MutateQuestion, NamespaceFacts } from "./manifest-answer.ts";

/**
 * The result for one object: it is of no interest, its label is right, it stays as it is for a reason, or it gets a revision.
 */
export type ObjectVerdict =
  | { readonly kind: "other" }
  | { readonly kind: "current"; readonly revision: string }
  | { readonly kind: "kept"; readonly reason: ManifestReason }
  | { readonly kind: "write"; readonly revision: string; readonly target: PodTarget };

const other: ObjectVerdict = { kind: "other" };

function keep(reason: ManifestReason): ObjectVerdict {
  return { kind: "kept", reason };
}

/** Why the next pod gets no sidecar, or is no workload to move, whatever its label. */
function findOutside(object: ManifestObject, target: PodTarget): ManifestReason | undefined {
  const template = {
    labels: readValues(target.labels),
    annotations: readValues(target.annotations),
    hostNetwork: object.hostNetwork,
  };
  if (isInjectionOff(template)) return { code: "InjectionOff" };
  if (template.hostNetwork) return { code: "HostNetwork" };
  return isGatewayTemplate(template) ? { code: "Gateway" } : undefined;
}

/** A namespace's label overrides that of a template, so the workload moves with its namespace. */
function findNamespaceLabel(facts: NamespaceFacts | undefined): string | undefined {
  return [istioKeys.injection, istioKeys.revision].find((key) => facts?.labels[key] !== undefined);
}

/** The workload's annotations, then its namespace's. */
function readMarks(object: ManifestObject, facts: NamespaceFacts | undefined): Marks {
  const own = readValues(object.annotations);
  return parseAnnotations({
    annotations: facts === undefined ? own : { ...pickOwnerKeys(facts.annotations), ...own },
  });
}

/** From a namespace only the annotations that owners set for all of it. */
function pickOwnerKeys(annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const keys: readonly string[] = [annotationKeys.pin, annotationKeys.optOut];
  return Object.fromEntries(
    Object.entries(annotations).filter(([key]) => keys.includes(key) || key.endsWith("/skip-migration")),
  );
}

/** The owner's wish: to be left alone, a revision, or none. */
function readOwner(marks: Marks): { readonly kept: ManifestReason } | { readonly pin?: string } {
  if (marks.kind === "unreadable") {
    return { kept: { code: "UnreadableAnnotation", annotation: marks.key, why: marks.why } };
  }
  const { malformed, skipMigration } = marks.sail;
  if (malformed !== undefined) {
    return { kept: { code: "UnreadableAnnotation", annotation: malformed.key, why: malformed.why } };
  }
  if (marks.optOut !== undefined) return { kept: { code: "OptedOut", why: marks.optOut } };
  if (skipMigration !== undefined) return { kept: { code: "OptedOut", why: skipMigration } };
  return marks.pin === undefined ? {} : { pin: marks.pin };
}

function judgeLabel(
  object: ManifestObject,
  target: PodTarget,
  revision: string,
  tags: ReadonlySet<string>,
): ObjectVerdict {
  const label = target.labels.get(istioKeys.revision)?.value;
  const { selectorRevision } = object;
  if (label === revision && (selectorRevision === undefined || selectorRevision === revision)) {
    return { kind: "current", revision };
  }
  if (label !== undefined && tags.has(label)) return keep({ code: "Tag", tag: label });
  if (selectorRevision !== undefined) return keep({ code: "SelectsRevision", selector: selectorRevision, revision });
  if (object.hasRevisionExpression) return keep({ code: "SelectsByExpression" });
  if (object.unclear !== undefined) return keep({ code: "Unclear", why: object.unclear.why });
  return { kind: "write", revision, target };
}

/** Decides about one object. Pure. */
export function judgeObject(object: ManifestObject, question: MutateQuestion): ObjectVerdict {
  const target = findTarget(object);
  if (target === undefined) return other;
  const outside = findOutside(object, target);
  if (outside !== undefined) return keep(outside);
  const namespace = object.namespace === undefined || object.namespace === "" ? question.namespace : object.namespace;
  if (namespace === undefined) return keep({ code: "NoNamespace" });
  const facts = question.namespaces.get(namespace);
  const owner = readOwner(readMarks(object, facts));
  if ("kept" in owner) return keep(owner.kept);
  const decider = findNamespaceLabel(facts);
  if (decider !== undefined) {
    return keep({
      code: "NamespaceDecides",
      namespace,
      label: decider,
      isTwice: target.labels.has(istioKeys.revision),
    });
  }
  const answer = question.answer(namespace);
  if (answer.kind === "unmanaged") return keep({ code: "Unmanaged", why: answer.why });
  return judgeLabel(object, target, owner.pin ?? answer.revision, question.tags);
}
