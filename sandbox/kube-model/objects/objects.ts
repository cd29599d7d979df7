import type { WorkloadRef } from "#libs/fleet";

import type { PodKind } from "../../../libs/kube/api-types.ts";

export type StringMap = Readonly<Record<string, string>>;

/** Names of the API's collections that the model serves. */
export type Resource =
  | "namespaces"
  | "deployments"
  | "statefulsets"
  | "daemonsets"
  | "rollouts"
  | "pods"
  | "poddisruptionbudgets"
  | "mutatingwebhookconfigurations"
  | "configmaps"
  | "workloadgroups"
  | "workloadentries";

/** What every stored object has; `rv` is the newest resourceVersion. */
interface Stored {
  readonly resource: Resource;
  readonly name: string;
  readonly uid: string;
  readonly createdAt: number;
  rv: number;
  deleted: boolean;
}

export interface ModelNamespace extends Stored {
  readonly resource: "namespaces";
  labels: StringMap;
  annotations: StringMap;
  managers: readonly ManagerEntry[];
  terminating: boolean;
  /** By `Kind/name`. */
  readonly workloads: Map<string, ModelWorkload>;
  readonly budgets: Map<string, ModelBudget>;
  readonly configMaps: Map<string, ModelConfigMap>;
  /** Pods that none of the workloads makes, by name. */
  readonly loosePods: Map<string, LoosePod>;
  readonly vmGroups: Map<string, ModelVmGroup>;
  readonly vmEntries: Map<string, ModelVmEntry>;
}

/** The part of a pod template that the model knows; never changed in place, so that ReplicaSets may share it. */
export interface Template {
  readonly labels: StringMap;
  readonly annotations: StringMap;
  readonly hostNetwork: boolean;
  readonly image: string;
  /** Image of a container `istio-proxy` that the owner wrote; `auto` = the injector's own. Absent = there is no such container. */
  readonly proxyImage?: string;
}

/** A ReplicaSet or, for the other kinds, a ControllerRevision. */
export interface TemplateSet {
  readonly hash: string;
  readonly template: Template;
  readonly createdAt: number;
}

export interface ModelWorkload extends Stored {
  readonly resource: "deployments" | "statefulsets" | "daemonsets" | "rollouts";
  readonly kind: PodKind;
  readonly namespace: ModelNamespace;
  readonly selector: StringMap;
  /** How it rolls; absent figures are Kubernetes' defaults. */
  readonly settings: RollSettings;
  generation: number;
  labels: StringMap;
  annotations: StringMap;
  template: Template;
  replicas: number;
  paused: boolean;
  managers: readonly ManagerEntry[];
  status: WorkloadStatus;
  /** Oldest first; the newest ten without pods are kept, as Kubernetes does. */
  sets: TemplateSet[];
  /** The set whose template is the object's; absent until the controller saw it. */
  current: TemplateSet | undefined;
  pods: ModelPod[];
  /** Why no pod could be created. */
  failure: string | undefined;
  progressAt: number;
  /** When the status was written last. */
  statusAt: number;
  /** When the newest template was first rolled out everywhere. */
  completedAt: number;
  /** Of an Argo Rollout. */
  readonly argo: ArgoState | undefined;
  wake: (() => void) | undefined;
  deadline: (() => void) | undefined;
}

/** A step of a canary: so many percent of the pods, or a pause of so many ms, or until a person promotes it. */
export type CanaryStep =
  | { readonly weight: number; readonly pause?: undefined }
  | { readonly weight?: undefined; readonly pause: number | "promotion" };

/** Where the update of an Argo Rollout is. */
export interface ArgoState {
  /** The Deployment whose template it takes; its own says nothing to meshroll. */
  readonly templateOf: string | undefined;
  /** The set that the update is about, and the one that was rolled out last. */
  of: TemplateSet | undefined;
  stable: TemplateSet | undefined;
  step: number;
  pausedAt: number | undefined;
  aborted: boolean;
}

export interface RollSettings {
  /** Of an Argo Rollout; absent = without steps. */
  readonly canary?: readonly CanaryStep[];
  /** Of a Deployment: all old pods go before the first new one comes. */
  readonly recreate?: boolean;
  readonly maxSurge?: number;
  readonly maxUnavailable?: number;
  readonly onDelete: boolean;
  /** Of a StatefulSet: pods of a lower ordinal keep the template that they have. */
  readonly partition: number;
  /** OrderedReady never replaces a pod while another is broken, the broken one included (kubernetes#67250). */
  readonly podManagement: "OrderedReady" | "Parallel";
  /** Time until a pod is Ready, ms: fixed, or evenly between the two. */
  readonly readyMs: number | readonly [number, number];
  readonly deadlineMs: number;
}

export interface WorkloadStatus {
  readonly observedGeneration: number;
  readonly total: number;
  readonly updated: number;
  readonly available: number;
  readonly deadlineExceeded: boolean;
  /** Hash of the newest set whose rollout was complete once; empty before. */
  readonly completed: string;
}

export interface ModelPod {
  readonly resource: "pods";
  readonly serial: number;
  readonly workload: ModelWorkload;
  readonly set: TemplateSet;
  /** Place in a StatefulSet, or node of a DaemonSet. */
  readonly ordinal: number;
  /** What the injector wrote; absent without a sidecar. */
  readonly revision: string | undefined;
  readonly createdAt: number;
  state: "starting" | "ready" | "broken";
  brokenBy: Breakage | undefined;
  rv: number;
  deleted: boolean;
}

/** Who controls a pod that no workload of the model makes: a Job, a ReplicaSet of an Argo Rollout, another group's StatefulSet. */
export interface PodOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
}

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/** A pod that was made by hand or by another controller: it stands there until it is deleted. */
export interface LoosePod {
  readonly resource: "pods";
  readonly name: string;
  readonly uid: string;
  readonly createdAt: number;
  readonly namespace: ModelNamespace;
  readonly labels: StringMap;
  readonly annotations: StringMap;
  readonly owner: PodOwner | undefined;
  /** What the injector wrote; absent without a sidecar, and where `annotations` say it. */
  readonly revision: string | undefined;
  phase: PodPhase;
  rv: number;
  deleted: boolean;
}

/** A scripted fault of workloads: how their new pods fail. */
export interface Breakage {
  readonly matches: (ref: WorkloadRef) => boolean;
  /** Only pods injected with this revision. */
  readonly whenRevision?: string;
  /** `nack`: the proxy refuses what istiod sends it, and serves on with what it has. */
  readonly how: "neverReady" | "crash" | "noSidecar" | "wrongSidecar" | "nack";
  /**
   * What its pods say. `imagePull`, `unschedulable`: of `neverReady`; absent = a container that runs and is not ready, the proxy's where
   * there is one. `oomKilled`: of `crash`; absent = it ends with 1.
   */
  readonly says?: "imagePull" | "unschedulable" | "oomKilled";
  /** `crash`: Ready at first, broken so many ms later; absent = never Ready. */
  readonly afterMs?: number;
  /** Of `crash` with `afterMs`: started again so many ms after it broke, and so on for ever; absent = it stays broken. */
  readonly againMs?: number;
  /** `wrongSidecar`: what is injected instead. */
  readonly wrongRevision?: string;
}

export interface ModelBudget extends Stored {
  readonly resource: "poddisruptionbudgets";
  readonly namespace: ModelNamespace;
  readonly matchLabels: StringMap;
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
  disruptionsAllowed: number;
  /** When it last began to allow something, or nothing. */
  allowanceAt: number;
}

export interface Selector {
  readonly matchLabels?: StringMap;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
    readonly values?: readonly string[];
  }[];
}

export interface ModelWebhook extends Stored {
  readonly resource: "mutatingwebhookconfigurations";
  labels: StringMap;
  /** The revision whose istiod answers. */
  revision: string;
  /** Its istiod is none of this cluster's Deployments, and answers all the same: behind a URL, or a Service that leads out of it. */
  elsewhere?: "url" | "service";
  /** Default Fail: a pod is refused while its istiod does not answer. */
  failurePolicy?: "Fail" | "Ignore";
  /** PEM: who signed the istiod's certificate. */
  authority: string;
  rules: readonly { readonly name: string; readonly namespaces: Selector; readonly objects: Selector }[];
}

export interface ModelConfigMap extends Stored {
  readonly resource: "configmaps";
  readonly namespace: ModelNamespace;
  data: StringMap;
}

/** A WorkloadGroup of Istio. The VMs that it is about are no objects of Kubernetes. */
export interface ModelVmGroup extends Stored {
  readonly resource: "workloadgroups";
  readonly namespace: ModelNamespace;
  labels: StringMap;
  annotations: StringMap;
  managers: readonly ManagerEntry[];
}

/** A WorkloadEntry of Istio: the address of one VM, and what its probe found. */
export interface ModelVmEntry extends Stored {
  readonly resource: "workloadentries";
  readonly namespace: ModelNamespace;
  readonly address: string;
  readonly labels: StringMap;
  /** The WorkloadGroup by which it registered itself. */
  readonly group: string | undefined;
  /** Undefined: it has no probe. */
  isHealthy: boolean | undefined;
  probedAt: number;
}

export type ModelObject =
  | ModelNamespace
  | ModelWorkload
  | ModelPod
  | LoosePod
  | ModelBudget
  | ModelWebhook
  | ModelConfigMap
  | ModelVmGroup
  | ModelVmEntry;

/** A change of an object, as watches tell it. */
export interface ModelEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly rv: number;
  readonly object: ModelObject;
}

/** One entry of metadata.managedFields; `fields` are the paths of `managed-fields.ts`. */
export interface ManagerEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly time: number;
  readonly fields: readonly string[];
}

export function refOf(workload: ModelWorkload): WorkloadRef {
  return { namespace: workload.namespace.name, kind: workload.kind, name: workload.name };
}
