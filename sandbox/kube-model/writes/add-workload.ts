import type { WorkloadRef } from "#libs/fleet";

import type { PodKind } from "../../../libs/kube/api-types.ts";

import { claimAll, ensureNamespace, OWNER } from "./add.ts";
import { adoptTemplate, requestReconcile, updateStatus } from "../controllers/controller.ts";
import type { Writer } from "../objects/managed-fields.ts";
import {
  type ArgoState,
  type ModelWorkload,
  refOf,
  type RollSettings,
  type StringMap,
  type Template,
} from "../objects/objects.ts";
import { placePod } from "../controllers/pods.ts";
import { publish, type State } from "../state/state.ts";

/** A workload to add. Its namespace is added when it is not there; webhooks and labels count as they are now. */
export interface WorkloadOptions extends Partial<RollSettings> {
  readonly ns: string;
  readonly name: string;
  /** Pods; of a DaemonSet: nodes. Default 1. */
  readonly replicas?: number;
  /** Labels of the template next to `app: <name>`. */
  readonly labels?: StringMap;
  /** Annotations of the template. */
  readonly annotations?: StringMap;
  readonly objectLabels?: StringMap;
  readonly objectAnnotations?: StringMap;
  /** Default: `app: <name>`. */
  readonly selector?: StringMap;
  readonly hostNetwork?: boolean;
  readonly image?: string;
  /** Image of a container `istio-proxy` that the owner writes into the template. */
  readonly proxyImage?: string;
  readonly paused?: boolean;
  /** Of a Rollout: the Deployment whose template it takes (`workloadRef`). */
  readonly templateOf?: string;
  /** False: its pods start now; default: they have been Ready for long. */
  readonly settled?: boolean;
  readonly writer?: Writer;
}

const RESOURCES = {
  Deployment: "deployments",
  StatefulSet: "statefulsets",
  DaemonSet: "daemonsets",
  Rollout: "rollouts",
} as const;
const NO_PODS = { observedGeneration: 0, total: 0, updated: 0, available: 0, deadlineExceeded: false, completed: "" };

export function addWorkload(state: State, kind: PodKind, options: WorkloadOptions): WorkloadRef {
  const workload = createWorkload(state, kind, options);
  const { namespace, name } = workload;
  const key = `${kind}/${name}`;
  if (namespace.workloads.has(key)) throw new Error(`${namespace.name}/${key} is there already`);
  namespace.workloads.set(key, workload);
  publish(state, "ADDED", workload);
  if (options.settled === false) requestReconcile(state, workload);
  else settle(state, workload);
  return refOf(workload);
}

function settle(state: State, workload: ModelWorkload): void {
  adoptTemplate(state, workload);
  if (workload.argo !== undefined) workload.argo.stable = workload.current;
  const { current } = workload;
  for (let place = 0; current !== undefined && place < workload.replicas; place++)
    placePod(state, workload, current, place);
  if (workload.failure !== undefined) requestReconcile(state, workload);
  updateStatus(state, workload);
}

function createTemplate(
  { name, annotations = {}, hostNetwork = false, image = `registry.example/${name}:1`, proxyImage }: WorkloadOptions,
  labels: StringMap,
): Template {
  return { labels, annotations, hostNetwork, image, ...(proxyImage === undefined ? {} : { proxyImage }) };
}

function createWorkload(state: State, kind: PodKind, options: WorkloadOptions): ModelWorkload {
  const { ns, name, annotations = {}, objectLabels = {}, objectAnnotations = {}, writer = OWNER } = options;
  const labels = { app: name, ...options.labels };
  return {
    resource: RESOURCES[kind],
    kind,
    namespace: ensureNamespace(state, ns),
    name,
    uid: state.uid(),
    createdAt: state.clock.now(),
    rv: 0,
    deleted: false,
    selector: options.selector ?? { app: name },
    settings: chooseSettings(options),
    generation: 1,
    labels: objectLabels,
    annotations: objectAnnotations,
    template: createTemplate(options, labels),
    replicas: options.replicas ?? 1,
    paused: options.paused ?? false,
    managers: claimAll(state, writer, [
      ["label", objectLabels],
      ["annotation", objectAnnotations],
      ["templateLabel", labels],
      ["templateAnnotation", annotations],
      ["templateSpec", { image: "" }],
      ["spec", { replicas: "" }],
    ]),
    status: NO_PODS,
    sets: [],
    current: undefined,
    pods: [],
    failure: undefined,
    progressAt: state.clock.now(),
    statusAt: state.clock.now(),
    completedAt: state.clock.now(),
    argo: kind === "Rollout" ? createArgo(options) : undefined,
    wake: undefined,
    deadline: undefined,
  };
}

function createArgo({ templateOf }: WorkloadOptions): ArgoState {
  return { templateOf, of: undefined, stable: undefined, step: 0, pausedAt: undefined, aborted: false };
}

function chooseSettings(options: WorkloadOptions): RollSettings {
  const { canary } = options;
  const { recreate, maxSurge, maxUnavailable, onDelete = false, partition = 0, podManagement = "Parallel" } = options;
  const { readyMs = 2_000, deadlineMs = 600_000 } = options;
  return {
    ...(canary === undefined ? {} : { canary }),
    ...(recreate === undefined ? {} : { recreate }),
    ...(maxSurge === undefined ? {} : { maxSurge }),
    ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
    onDelete,
    partition,
    podManagement,
    readyMs,
    deadlineMs,
  };
}
