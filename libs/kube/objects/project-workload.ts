import type { PodTemplate, Workload } from "#libs/fleet";

import type { ApiMap, ApiMetadata, ApiObject, PodKind } from "../api-types.ts";
import { findMarkManagers, findTemplateManager } from "./field-manager.ts";
import type { Interner } from "./interner.ts";
import { readProxyImage } from "./pods/proxy-image.ts";
import { findDeployTime, readWorkloadTimes } from "./read-times.ts";
import { isPromoted, readArgo, readObserved } from "./workloads/argo-rollout.ts";
import { readRolloutUnavailable } from "./workloads/rollout-unavailable.ts";

/** A workload's own object, without what other objects add. */
export type WorkloadFacts = Omit<Workload, "pods" | "managedByRollout" | "admitted" | keyof BudgetFacts>;

/** Known only while a PodDisruptionBudget selects the workload's pods. */
export type BudgetFacts = Pick<Workload, "disruptionsAllowed" | "noDisruptionSince" | "rolloutUnavailable">;

/** What is kept of a workload: its facts, and all template labels, because budgets may select by any. */
export interface WorkloadRecord {
  readonly facts: WorkloadFacts;
  readonly templateLabels: ApiMap;
  readonly rolloutUnavailable: number | undefined;
  /** Label keys in its selector's `matchLabels`. */
  readonly selectorKeys: readonly string[];
  /** As in `TemplateFacts`. */
  readonly deployedAt: number | undefined;
}

const LABELS = /^(?:[a-z.]+\.)?istio\.io\//;
const ANNOTATIONS = /^(?:(?:[a-z.]+\.)?istio\.io|meshroll\.dev)\//;
const RUN_ANNOTATION = "meshroll.dev/run";
const OBJECT_ANNOTATIONS = /^(?:meshroll\.dev|sailoperator\.io)\//;

/** Annotations of the object itself that are kept. */
export function isOwnAnnotation(key: string): boolean {
  return OBJECT_ANNOTATIONS.test(key);
}

/** Reads a Deployment, StatefulSet, DaemonSet or Rollout; undefined when it lacks a field that every object has. */
export function projectWorkload(kind: PodKind, object: ApiObject, interner: Interner): WorkloadRecord | undefined {
  const { metadata = {}, spec = {} } = object;
  const identity = readIdentity(metadata);
  if (identity === undefined) return undefined;
  const facts: WorkloadFacts = {
    ...identity,
    namespace: interner.text(identity.namespace),
    kind,
    generation: metadata.generation ?? 0,
    ...readCounts(kind, object),
    deadlineExceeded: isDeadlineExceeded(object),
    ...(isRolledOut(kind, object) ? { rolledOut: true as const } : {}),
    ...readStrategy(spec),
    ...readOrder(kind, spec),
    ...readPartition(kind, spec),
    ...(kind === "Rollout" ? readArgo(object) : {}),
    selectsRevision: selectsRevision(object),
    template: projectTemplate(object, interner),
    annotations: interner.map(metadata.annotations, isOwnAnnotation),
    ...readManagers(metadata, interner),
  };
  return {
    facts: addTimes(facts, object),
    templateLabels: copyLabels(spec.template?.metadata?.labels, interner),
    rolloutUnavailable: readRolloutUnavailable(kind, object, facts.replicas),
    selectorKeys: listSelectorKeys(spec, interner),
    deployedAt: findDeployTime(metadata.managedFields ?? []),
  };
}

function readManagers({ managedFields, annotations }: ApiMetadata, interner: Interner) {
  const manager = findTemplateManager(managedFields, annotations);
  const marksBy = findMarkManagers(managedFields, annotations);
  return {
    ...(marksBy === undefined ? {} : { marksBy: interner.value(marksBy) }),
    ...(manager === undefined ? {} : { revisionManager: interner.value(manager) }),
  };
}

/** Times are kept only for workloads that need them: those that roll, lack pods, are paused, or carry an annotation of ours. */
function addTimes(facts: WorkloadFacts, object: ApiObject): WorkloadFacts {
  const times = isTimed(facts) ? readWorkloadTimes(object) : undefined;
  return times === undefined ? facts : { ...facts, times };
}

function isTimed({
  annotations,
  paused,
  partition,
  observedGeneration,
  generation,
  updated,
  available,
  replicas,
  total,
}: WorkloadFacts): boolean {
  const isRolling = observedGeneration < generation || updated < replicas || total > updated;
  return paused || partition !== undefined || isRolling || available < replicas || RUN_ANNOTATION in annotations;
}

function readStrategy({ paused = false, updateStrategy }: NonNullable<ApiObject["spec"]>) {
  return { paused, onDelete: updateStrategy?.type === "OnDelete" };
}

/** `Parallel` is written explicitly; anything else is ordered. */
function readOrder(kind: PodKind, { podManagementPolicy, ordinals }: NonNullable<ApiObject["spec"]>) {
  const isOrdered = kind === "StatefulSet" && podManagementPolicy !== "Parallel";
  return isOrdered ? { orderedFrom: ordinals?.start ?? 0 } : {};
}

/** A partition at or below the first ordinal holds back no pod. */
function readPartition(kind: PodKind, { updateStrategy, ordinals }: NonNullable<ApiObject["spec"]>) {
  const partition = updateStrategy?.rollingUpdate?.partition ?? 0;
  return kind === "StatefulSet" && partition > (ordinals?.start ?? 0) ? { partition } : {};
}

type Identity = Pick<WorkloadFacts, "namespace" | "name" | "uid" | "resourceVersion">;

/** What every object has; undefined where a part of it is absent. */
export function readIdentity({ name, namespace, uid, resourceVersion }: ApiMetadata): Identity | undefined {
  const known = name !== undefined && namespace !== undefined && uid !== undefined && resourceVersion !== undefined;
  return known ? { namespace, name, uid, resourceVersion } : undefined;
}

function projectTemplate({ spec }: ApiObject, interner: Interner): PodTemplate {
  const { metadata, spec: podSpec } = spec?.template ?? {};
  const proxyImage = readProxyImage(podSpec ?? {});
  return interner.value({
    labels: interner.map(metadata?.labels, (key) => LABELS.test(key)),
    annotations: interner.map(metadata?.annotations, (key) => ANNOTATIONS.test(key)),
    hostNetwork: podSpec?.hostNetwork ?? false,
    // `auto` is Istio's value for the injector's own image.
    ...(proxyImage === undefined || proxyImage === "auto" ? {} : { proxyImage }),
  });
}

function listSelectorKeys({ selector }: NonNullable<ApiObject["spec"]>, interner: Interner): readonly string[] {
  return interner.value(Object.keys(selector?.matchLabels ?? {}));
}

/** Texts of keys are shared between workloads. The maps are not: most workloads have an `app` label of their own. */
function copyLabels(labels: ApiMap | undefined, interner: Interner): ApiMap {
  return Object.fromEntries(Object.entries(labels ?? {}).map(([key, value]) => [interner.text(key), value]));
}

type Counts = Pick<Workload, "observedGeneration" | "replicas" | "total" | "updated" | "available">;

function readCounts(kind: PodKind, object: ApiObject): Counts {
  const { spec = {}, status = {} } = object;
  const observedGeneration = kind === "Rollout" ? readObserved(object) : Number(status.observedGeneration ?? 0);
  return kind === "DaemonSet"
    ? { observedGeneration, ...readScheduled(status) }
    : { observedGeneration, replicas: spec.replicas ?? 1, ...readReplicas(status) };
}

type ApiStatus = NonNullable<ApiObject["status"]>;

/** The API server leaves zeroes out. */
function readReplicas(status: ApiStatus): Pick<Counts, "total" | "updated" | "available"> {
  return {
    total: status.replicas ?? 0,
    updated: status.updatedReplicas ?? 0,
    available: status.availableReplicas ?? 0,
  };
}

function readScheduled(status: ApiStatus): Omit<Counts, "observedGeneration"> {
  return {
    replicas: status.desiredNumberScheduled ?? 0,
    total: status.currentNumberScheduled ?? 0,
    updated: status.updatedNumberScheduled ?? 0,
    available: status.numberAvailable ?? 0,
  };
}

/** A DaemonSet does not report whether its newest template was ever complete. */
function isRolledOut(kind: PodKind, { status = {} }: ApiObject): boolean {
  const { currentRevision = "", updateRevision, conditions = [] } = status;
  if (kind === "Rollout") return isPromoted(status);
  if (kind === "StatefulSet") return currentRevision !== "" && currentRevision === updateRevision;
  return conditions.some(
    ({ type, status: state, reason }) =>
      type === "Progressing" && state === "True" && reason === "NewReplicaSetAvailable",
  );
}

function isDeadlineExceeded({ status }: ApiObject): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: state, reason }) =>
      type === "Progressing" && state === "False" && reason === "ProgressDeadlineExceeded",
  );
}

function selectsRevision({ spec }: ApiObject): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  return "istio.io/rev" in matchLabels || matchExpressions.some(({ key }) => key === "istio.io/rev");
}
