import type { WorkloadRef } from "#libs/fleet";
import { lookUp } from "#libs/input";

import type { ApiExpression, ApiObject, ApiSelector, PodKind } from "../api-types.ts";
import { nameOwner } from "../objects/pods/pod-owner.ts";
import { nameApiVersion } from "../requests/workload-path.ts";
import { readTime } from "../objects/read-times.ts";

/** A workload that makes pods. */
export type PodWorkload = WorkloadRef & { readonly kind: PodKind };

const hashLabels: Readonly<Record<PodKind, string>> = {
  Deployment: "pod-template-hash",
  StatefulSet: "controller-revision-hash",
  DaemonSet: "controller-revision-hash",
  Rollout: "rollouts-pod-template-hash",
};

/** What our moves change of a template. Of other labels and annotations the injector may change some. */
const revisionLabel = "istio.io/rev";
const restartAnnotation = "meshroll.dev/restarted-for";

function printExpression({ key = "", operator = "Exists", values = [] }: ApiExpression): string {
  switch (operator) {
    case "In":
      return `${key} in (${values.join(",")})`;
    case "NotIn":
      return `${key} notin (${values.join(",")})`;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return key;
  }
}

function printSelector({ matchLabels = {}, matchExpressions = [] }: ApiSelector): readonly string[] {
  return [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(printExpression),
  ];
}

/** Of its newest template, where its status says it. */
function readNewestHash(kind: PodKind, { updateRevision, currentPodHash }: NonNullable<ApiObject["status"]>) {
  if (kind === "Rollout") return currentPodHash;
  return kind === "StatefulSet" ? updateRevision : undefined;
}

/**
 * A `labelSelector` for the pods of the newest template, and as few others as labels can tell apart. Undefined where it would select
 * every pod of the namespace.
 */
export function selectNewest({ kind }: PodWorkload, { spec = {}, status = {} }: ApiObject): string | undefined {
  const own = printSelector(spec.selector ?? {});
  if (own.length === 0) return undefined;
  const revision = lookUp(spec.template?.metadata?.labels, revisionLabel);
  const newest = readNewestHash(kind, status);
  return [
    ...own,
    ...(revision === undefined ? [] : [`${revisionLabel}=${revision}`]),
    ...(newest === undefined ? [] : [`${hashLabels[kind]}=${newest}`]),
  ].join(",");
}

function isOf({ namespace, kind, name }: WorkloadRef, { metadata = {} }: ApiObject): boolean {
  const owner = nameOwner(metadata);
  const isSame = owner.apiVersion === nameApiVersion(kind) && owner.kind === kind && owner.name === name;
  return isSame && metadata.namespace === namespace && metadata.deletionTimestamp === undefined;
}

/** Whether what our moves change is on the pod as in the template. */
function isOfTemplate({ spec = {} }: ApiObject, { metadata = {} }: ApiObject): boolean {
  const { labels, annotations } = spec.template?.metadata ?? {};
  const revision = lookUp(labels, revisionLabel);
  const restart = lookUp(annotations, restartAnnotation);
  return (
    (revision === undefined || lookUp(metadata.labels, revisionLabel) === revision) &&
    (restart === undefined || lookUp(metadata.annotations, restartAnnotation) === restart)
  );
}

/** Of the listed pods those of the newest template: of the hash that the youngest of them has. */
export function chooseNewest(
  ref: PodWorkload,
  workload: ApiObject,
  listed: readonly ApiObject[],
): readonly ApiObject[] {
  const own = listed.filter((pod) => isOf(ref, pod) && isOfTemplate(workload, pod));
  const readHash = ({ metadata }: ApiObject) => lookUp(metadata?.labels, hashLabels[ref.kind]);
  const made = ({ metadata }: ApiObject) => readTime(metadata?.creationTimestamp) ?? 0;
  const [youngest] = own.toSorted((a, b) => made(b) - made(a));
  return youngest === undefined ? [] : own.filter((pod) => readHash(pod) === readHash(youngest));
}
