import type { WorkloadRef } from "#libs/fleet";

import type { PodKind } from "../../libs/kube/api-types.ts";
import type { IstiodStatus } from "../../libs/kube/objects/mesh/proxy-status.ts";

import { addConfigMap, addNamespace, ensureNamespace, type NamespaceOptions } from "./writes/add.ts";
import { addBudget, type BudgetOptions } from "./writes/add-budget.ts";
import { addPod, deleteLoosePod, endPod, type PodOptions } from "./writes/add-pod.ts";
import { addWorkload, type WorkloadOptions } from "./writes/add-workload.ts";
import { createApi, type ModelApi } from "./api/api.ts";
import { readIstiod } from "./api/istiod-api.ts";
import { type BreakOptions, breakWorkload } from "./writes/break-workload.ts";
import type { ModelClock } from "./objects/clock.ts";
import { requestReconcile, stopControllers } from "./controllers/controller.ts";
import { createFaults, type ModelFaults } from "./state/faults.ts";
import {
  addIstiod,
  addOverlap,
  addTag,
  changeWebhook,
  type IstiodOptions,
  nameIstiod,
  nameWebhook,
  removeWebhook,
  setIstiodVersion,
  trustAuthority,
} from "./writes/mesh.ts";
import type { KubeEvent } from "./objects/messages.ts";
import type { ModelEvent, StringMap, Template } from "./objects/objects.ts";
import { describePods, type PodView } from "./state/pod-view.ts";
import { abortRollout, promoteRollout, serveRollouts } from "./writes/rollouts.ts";
import { createOwner, type OwnerActions } from "./writes/owner.ts";
import { findNamespace, findWorkload, removeNamespace, removePods, removeWorkload } from "./writes/remove.ts";
import { createRandom, createUids } from "./objects/seed.ts";
import { forget, publish, type State } from "./state/state.ts";
import {
  addVmEntry,
  addVmGroup,
  removeVmEntry,
  removeVmGroup,
  serveVms,
  setEntryHealth,
  type VmEntryOptions,
  type VmGroupOptions,
} from "./writes/vms.ts";
import { createWriteLog, type WriteRecord } from "./state/write-log.ts";

export interface ModelOptions {
  readonly clock: ModelClock;
  /** Names, UIDs and times to Ready follow from it alone; two clusters take two seeds. Default "model". */
  readonly seed?: string;
  readonly random?: () => number;
  readonly uid?: () => string;
  /** Events kept for watches that resume; default 20,000. */
  readonly historyLimit?: number;
}

/** A Kubernetes cluster in memory: the API subset that meshroll calls, rolling workloads and Istio's injection. */
export interface KubeModel extends OwnerActions {
  readonly clock: ModelClock;
  readonly api: ModelApi;
  readonly faults: ModelFaults;
  /** Every write that came in, refused ones too, oldest first. */
  readonly writes: readonly WriteRecord[];
  onWrite(listener: (write: WriteRecord) => void): () => void;
  /** Every change of an object, controllers' included. */
  onEvent(listener: (event: ModelEvent) => void): () => void;
  addNamespace(name: string, options?: NamespaceOptions): void;
  addDeployment(options: WorkloadOptions): WorkloadRef;
  addStatefulSet(options: WorkloadOptions): WorkloadRef;
  addDaemonSet(options: WorkloadOptions): WorkloadRef;
  /** An Argo Rollout: a canary with the steps of `canary`. */
  addRollout(options: WorkloadOptions): WorkloadRef;
  promoteRollout(ref: WorkloadRef): void;
  abortRollout(ref: WorkloadRef): void;
  /** False: removes Argo's definition, and all Rollouts. */
  serveRollouts(isServed: boolean): void;
  /** A WorkloadGroup of Istio. What the VMs themselves run is in no cluster. */
  addWorkloadGroup(options: VmGroupOptions): WorkloadRef;
  addWorkloadEntry(options: VmEntryOptions): void;
  /** What its probe found; undefined: it has none. */
  setEntryHealth(namespace: string, name: string, healthy: boolean | undefined): void;
  deleteWorkloadEntry(namespace: string, name: string): void;
  /** False: removes Istio's definitions of both kinds, and all their objects. */
  serveWorkloadGroups(isServed: boolean): void;
  /** A pod that none of the workloads makes: bare, a Job's, a Rollout's, or another API group's. */
  addPod(options: PodOptions): void;
  endPod(namespace: string, name: string, phase: "Succeeded" | "Failed"): void;
  deletePod(namespace: string, name: string): void;
  addIstiod(revision: string, options?: IstiodOptions): void;
  /** What its istiod reports to who asks it for the first time from now on. */
  setIstiodVersion(revision: string, version: string): void;
  /** What the istiod in this pod says by ADS; `refused`: our token may read nothing; undefined: nothing answers there. */
  readonly readIstiod: (pod: string) => IstiodStatus | "refused" | undefined;
  /** Who signed the istiods' certificates, PEM: for who serves them, before the cluster is read. */
  readonly trustAuthority: (pem: string) => void;
  /** `unready`: up but not answering, so pods of its revision are refused; `missing`: the Deployment is gone. */
  setIstiod(revision: string, condition: "ready" | "unready" | "missing"): void;
  removeWebhook(revision: string): void;
  /** `elsewhere`: no istiod of this cluster answers it, and it is answered; `failurePolicy` as in Kubernetes. */
  changeWebhook(revision: string, change: Parameters<typeof changeWebhook>[2]): void;
  /** A second webhook configuration that gives pods with the label to another revision; the answer takes it away. */
  addOverlap(label: string, revision: string): () => void;
  /** Makes the tag or moves it. */
  addTag(tag: string, revision: string): void;
  addPdb(options: BudgetOptions): void;
  setConfigMap(namespace: string, name: string, data: StringMap): void;
  deleteConfigMap(namespace: string, name: string): void;
  deleteWorkload(ref: WorkloadRef): void;
  deletePods(ref: WorkloadRef): void;
  terminateNamespace(name: string): void;
  deleteNamespace(name: string): void;
  /** Scripts how pods fail, running ones included where that is possible; the answer fixes it. */
  breakWorkload(which: WorkloadRef | ((ref: WorkloadRef) => boolean), options: BreakOptions): () => void;
  /** kube-controller-manager is away until the answer is called. */
  stopControllers(): () => void;
  podsOf(ref: WorkloadRef): readonly PodView[];
  /** The pod template as it is on the object. */
  templateOf(ref: WorkloadRef): Template;
  /** Hashes of the ReplicaSets (ControllerRevisions) that the workload ever had, oldest first. */
  replicaSetsOf(ref: WorkloadRef): readonly string[];
  /** The Events about the workload, the oldest first: those that were not deleted with time, an hour on a real server. */
  eventsOf(ref: WorkloadRef): readonly KubeEvent[];
  /** Forgets all past events: watches and lists from before are expired (410). */
  compactHistory(): void;
}

export function createModel(options: ModelOptions): KubeModel {
  const state = createState(options);
  const faults = createFaults(state.clock);
  const log = createWriteLog(state);
  addNamespace(state, "kube-system");
  addNamespace(state, "default");
  const add = (kind: PodKind) => (workload: WorkloadOptions) => addWorkload(state, kind, workload);
  const fixes = new Map<string, () => void>();
  return {
    clock: state.clock,
    api: createApi(state, faults, log),
    faults,
    writes: log.writes,
    ...createOwner(state, log),
    onWrite: (listener) => subscribe(log.listeners, listener),
    onEvent: (listener) => subscribe(state.watchers, listener),
    addNamespace: (name, settings) => void addNamespace(state, name, settings),
    addDeployment: add("Deployment"),
    addStatefulSet: add("StatefulSet"),
    addDaemonSet: add("DaemonSet"),
    addRollout: add("Rollout"),
    promoteRollout: (ref) => promoteRollout(state, ref),
    abortRollout: (ref) => abortRollout(state, ref),
    serveRollouts: (isServed) => serveRollouts(state, isServed),
    addWorkloadGroup: (group) => addVmGroup(state, group),
    addWorkloadEntry: (entry) => addVmEntry(state, entry),
    setEntryHealth: (namespace, name, healthy) => setEntryHealth(state, namespace, name, healthy),
    deleteWorkloadEntry: (namespace, name) => removeVmEntry(state, namespace, name),
    serveWorkloadGroups: (isServed) => serveVms(state, isServed),
    addPod: (pod) => addPod(state, pod),
    endPod: (namespace, name, phase) => endPod(state, namespace, name, phase),
    deletePod: (namespace, name) => deleteLoosePod(state, namespace, name),
    readIstiod: (pod) => readIstiod(state, pod),
    trustAuthority: (pem) => trustAuthority(state, pem),
    addIstiod: (revision, settings) => addIstiod(state, revision, settings),
    setIstiodVersion: (revision, version) => setIstiodVersion(state, revision, version),
    setIstiod: (revision, condition) => setIstiod(state, fixes, revision, condition),
    removeWebhook: (revision) => removeWebhook(state, nameWebhook(revision)),
    changeWebhook: (revision, change) => changeWebhook(state, nameWebhook(revision), change),
    addOverlap: (label, revision) => {
      addOverlap(state, label, revision);
      return () => removeWebhook(state, `zzz-overlaps-${label}`);
    },
    addTag: (tag, revision) => addTag(state, tag, revision),
    addPdb: (budget) => addBudget(state, budget),
    setConfigMap: (namespace, name, data) => setConfigMap(state, namespace, name, data),
    deleteConfigMap: (namespace, name) => deleteConfigMap(state, namespace, name),
    deleteWorkload: (ref) => (ref.kind === "WorkloadGroup" ? removeVmGroup(state, ref) : removeWorkload(state, ref)),
    deletePods: (ref) => removePods(state, ref),
    terminateNamespace: (name) => terminateNamespace(state, name),
    deleteNamespace: (name) => removeNamespace(state, name),
    breakWorkload: (which, settings) => breakWorkload(state, which, settings),
    stopControllers: () => stopControllers(state),
    podsOf: (ref) => (ref.kind === "WorkloadGroup" ? [] : describePods(findWorkload(state, ref))),
    templateOf: (ref) => findWorkload(state, ref).template,
    replicaSetsOf: (ref) => findWorkload(state, ref).sets.map(({ hash }) => hash),
    eventsOf: ({ namespace, kind, name }) =>
      [...state.events.values()].filter(
        ({ regarding }) => regarding.namespace === namespace && regarding.kind === kind && regarding.name === name,
      ),
    compactHistory: () => forget(state, 0),
  };
}

function createState({ clock, seed = "model", historyLimit = 20_000, ...own }: ModelOptions): State {
  return {
    clock,
    random: own.random ?? createRandom(seed),
    uid: own.uid ?? createUids(seed),
    // Not 0: a resourceVersion of 0 means "any" to the API.
    rv: 1_000,
    podSerial: 0,
    namespaces: new Map(),
    webhooks: new Map(),
    istiods: new Map(),
    authority: "CA",
    breakages: new Set(),
    servesVms: true,
    servesRollouts: true,
    events: new Map(),
    watchers: new Set(),
    stopped: undefined,
    history: [],
    historyLimit,
    oldestRv: 1_000,
  };
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setIstiod(
  state: State,
  fixes: Map<string, () => void>,
  revision: string,
  condition: "ready" | "unready" | "missing",
): void {
  const ref = { namespace: "istio-system", kind: "Deployment", name: nameIstiod(revision) } as const;
  fixes.get(revision)?.();
  fixes.delete(revision);
  if (condition === "missing") removeWorkload(state, ref);
  if (condition === "unready") fixes.set(revision, breakWorkload(state, ref, { how: "crash" }));
  if (condition !== "missing") requestReconcile(state, findWorkload(state, ref));
}

function setConfigMap(state: State, namespace: string, name: string, data: StringMap): void {
  const place = ensureNamespace(state, namespace);
  const known = place.configMaps.get(name);
  if (known === undefined) {
    addConfigMap(state, place, name, data);
    return;
  }
  known.data = data;
  publish(state, "MODIFIED", known);
}

function deleteConfigMap(state: State, namespace: string, name: string): void {
  const maps = findNamespace(state, namespace).configMaps;
  const known = maps.get(name);
  if (known === undefined) throw new Error(`there is no ConfigMap ${namespace}/${name}`);
  maps.delete(name);
  publish(state, "DELETED", known);
}

function terminateNamespace(state: State, name: string): void {
  const namespace = findNamespace(state, name);
  namespace.terminating = true;
  publish(state, "MODIFIED", namespace);
}
