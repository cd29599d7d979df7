import { lookUp } from "#libs/input";

import { annotationKeys, istioKeys } from "../annotations/annotations.ts";
import type { Namespace, Workload, WorkloadRef } from "../facts.ts";

/**
 * The data of the ConfigMap `meshroll-admission` of a namespace, which the admission policies read: `revision`, and by `Kind.name` the
 * hash of the template whose new pods get it; `unlabelled`, the revision of new pods that have no label.
 */
export type AdmissionMap = Readonly<Record<string, string>>;

/** The workload's key in the map of its namespace. */
export function nameInAdmissionMap({ kind, name }: Pick<WorkloadRef, "kind" | "name">): string {
  return `${kind}.${name}`;
}

const offValues: readonly string[] = ["false", "n", "no", "off"];

/** Whether meshroll labels those pods of the namespace that have no label: it asks for it, and has no label of Istio's. */
export function asksForLabels({ labels }: Pick<Namespace, "labels">): boolean {
  const isIstios = labels[istioKeys.injection] !== undefined || labels[istioKeys.revision] !== undefined;
  return labels[annotationKeys.inject] === "enabled" && !isIstios;
}

/** Whether new pods of the template are such pods: the same selectors as in the policy `meshroll-admission-unlabelled`. */
export function isUnlabelled(namespace: Pick<Namespace, "labels">, { template }: Pick<Workload, "template">): boolean {
  if (template.isVms === true || !asksForLabels(namespace)) return false;
  const { labels: own, annotations, hostNetwork } = template;
  if (own[istioKeys.revision] !== undefined || own[istioKeys.inject] !== undefined || hostNetwork) return false;
  return !offValues.includes(annotations[istioKeys.inject]?.toLowerCase() ?? "");
}

type Admitted = Pick<
  Workload,
  "kind" | "name" | "template" | "generation" | "observedGeneration" | "updated" | "replicas"
>;

/** Whether pods of the newest template exist: the hash of the live pods is then that of the present template. */
function isHashPresent({ generation, observedGeneration, updated, replicas }: Admitted): boolean {
  return observedGeneration >= generation && updated > 0 && updated >= replicas;
}

/**
 * The revision that the policies give new pods of the workload. `hash`: of the template that all its live pods have; undefined = not
 * known.
 */
export function findAdmitted(
  namespace: Pick<Namespace, "labels">,
  workload: Admitted,
  map: AdmissionMap,
  hash: string | undefined,
): string | undefined {
  if (isUnlabelled(namespace, workload)) return lookUp(map, "unlabelled");
  if (workload.template.labels[istioKeys.revision] === undefined || hash === undefined) return undefined;
  const isNamed = isHashPresent(workload) && lookUp(map, nameInAdmissionMap(workload)) === hash;
  return isNamed ? lookUp(map, "revision") : undefined;
}
