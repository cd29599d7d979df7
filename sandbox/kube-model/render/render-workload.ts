import { renderManagedFields, renderStatusManager, renderTime } from "../objects/managed-fields.ts";
import { type ModelWorkload, refOf, type RollSettings } from "../objects/objects.ts";
import { describeResource } from "../objects/api-path.ts";
import type { ApiObject } from "../objects/messages.ts";
import { renderArgoSpec, renderArgoStatus } from "./render-rollout.ts";

/** A Deployment, StatefulSet, DaemonSet or Rollout as the API server sends it. */
export function renderWorkload(workload: ModelWorkload): ApiObject {
  const { namespace, name } = refOf(workload);
  const [apiVersion] = describeResource(workload.resource);
  return {
    apiVersion,
    kind: workload.kind,
    metadata: {
      name,
      namespace,
      uid: workload.uid,
      resourceVersion: String(workload.rv),
      generation: workload.generation,
      creationTimestamp: renderTime(workload.createdAt),
      labels: workload.labels,
      annotations: workload.annotations,
      managedFields: [
        ...renderManagedFields(workload.managers, apiVersion),
        renderStatusManager(workload.statusAt, apiVersion),
      ],
    },
    spec: renderSpec(workload),
    status: renderStatus(workload),
  };
}

function renderSpec(workload: ModelWorkload): object {
  const { template, kind, settings, selector } = workload;
  const shared = { selector: { matchLabels: selector }, template: renderTemplate(workload) };
  switch (kind) {
    case "Deployment":
      return {
        replicas: workload.replicas,
        ...(workload.paused ? { paused: true } : {}),
        strategy: renderStrategy(settings),
        progressDeadlineSeconds: Math.ceil(settings.deadlineMs / 1000),
        ...shared,
      };
    case "StatefulSet":
      return {
        replicas: workload.replicas,
        podManagementPolicy: settings.podManagement,
        serviceName: template.labels["app"] ?? workload.name,
        updateStrategy: renderUpdateStrategy(settings, { partition: settings.partition }),
        ...shared,
      };
    case "Rollout":
      return {
        ...shared,
        ...renderArgoSpec(workload),
        ...(workload.argo?.templateOf === undefined ? {} : { template: {} }),
      };
    case "DaemonSet":
      return { updateStrategy: renderUpdateStrategy(settings, { maxSurge: 0, maxUnavailable: 1 }), ...shared };
  }
}

function renderStrategy(settings: RollSettings): object {
  if (settings.recreate === true) return { type: "Recreate" };
  return renderUpdateStrategy(settings, { maxSurge: "25%", maxUnavailable: "25%" });
}

function renderUpdateStrategy({ onDelete, maxSurge, maxUnavailable }: RollSettings, builtIn: object): object {
  if (onDelete) return { type: "OnDelete" };
  const surge = maxSurge === undefined ? {} : { maxSurge };
  const unavailable = maxUnavailable === undefined ? {} : { maxUnavailable };
  return { type: "RollingUpdate", rollingUpdate: { ...builtIn, ...surge, ...unavailable } };
}

function renderTemplate({ template, name }: ModelWorkload): object {
  return {
    metadata: { labels: template.labels, annotations: template.annotations },
    spec: {
      containers: [{ name, image: template.image, imagePullPolicy: "IfNotPresent" }, ...renderOwnProxy(template)],
      ...(template.hostNetwork ? { hostNetwork: true } : {}),
      restartPolicy: "Always",
    },
  };
}

function renderOwnProxy({ proxyImage }: ModelWorkload["template"]): object[] {
  return proxyImage === undefined ? [] : [{ name: "istio-proxy", image: proxyImage }];
}

/** Zeroes are left out, as the API server does: a reader must not rely on the fields being there. */
function renderStatus(workload: ModelWorkload): object {
  const { kind, status, pods, replicas, failure, current } = workload;
  const { observedGeneration, total, updated, available } = status;
  const ready = pods.filter((pod) => pod.state === "ready").length;
  if (kind === "DaemonSet") {
    return {
      observedGeneration,
      currentNumberScheduled: total,
      desiredNumberScheduled: replicas,
      numberMisscheduled: 0,
      numberReady: ready,
      ...dropZeroes({ updatedNumberScheduled: updated, numberAvailable: available }),
    };
  }
  const counts = dropZeroes({
    replicas: total,
    updatedReplicas: updated,
    readyReplicas: ready,
    availableReplicas: available,
  });
  if (kind === "Rollout") return { ...counts, ...renderArgoStatus(workload) };
  const isRolledOut = status.completed === current?.hash;
  if (kind === "StatefulSet") {
    return {
      observedGeneration,
      replicas: total,
      ...counts,
      currentRevision: status.completed,
      updateRevision: current?.hash,
    };
  }
  return {
    observedGeneration,
    ...counts,
    conditions: [renderProgress(workload, isRolledOut), ...renderConditions(available >= replicas, failure)],
  };
}

/** As the deployment controller tells it: once a rollout is complete the condition is not touched before the next one. */
function renderProgress({ status, paused, completedAt, progressAt, statusAt }: ModelWorkload, isRolledOut: boolean) {
  const type = "Progressing";
  if (paused) return { type, status: "Unknown", reason: "DeploymentPaused", lastUpdateTime: renderTime(statusAt) };
  const since = (at: number) => ({ lastUpdateTime: renderTime(at), lastTransitionTime: renderTime(at) });
  if (status.deadlineExceeded) return { type, status: "False", reason: "ProgressDeadlineExceeded", ...since(statusAt) };
  return isRolledOut
    ? { type, status: "True", reason: "NewReplicaSetAvailable", ...since(completedAt) }
    : { type, status: "True", reason: "ReplicaSetUpdated", ...since(progressAt) };
}

function renderConditions(available: boolean, failure: string | undefined): object[] {
  return [
    { type: "Available", status: available ? "True" : "False", reason: "MinimumReplicasAvailable" },
    ...(failure === undefined
      ? []
      : [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: failure }]),
  ];
}

function dropZeroes(counts: Readonly<Record<string, number>>): object {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
