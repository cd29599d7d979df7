import type { ModelPod, ModelWorkload, Template } from "../objects/objects.ts";
import type { ApiObject } from "../objects/messages.ts";
import { nameSuffix } from "../objects/template-hash.ts";
import { renderPodStatus } from "./render-pod-status.ts";

/** A pod as the API server sends it; everything but its state follows from its workload, so little is stored per pod. */
export function renderPod(pod: ModelPod): ApiObject {
  const { workload, set, revision } = pod;
  const { template } = set;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: namePod(pod),
      namespace: workload.namespace.name,
      uid: `${pod.serial.toString(16).padStart(8, "0")}-0000-4000-8000-706f64000000`,
      resourceVersion: String(pod.rv),
      creationTimestamp: `${new Date(pod.createdAt).toISOString().slice(0, 19)}Z`,
      ...(pod.deleted ? { deletionTimestamp: `${new Date(pod.createdAt).toISOString().slice(0, 19)}Z` } : {}),
      labels: { ...template.labels, [labelOfHash(workload)]: set.hash },
      annotations: { ...template.annotations, ...renderInjection(revision) },
      ownerReferences: [renderOwner(workload, set.hash)],
    },
    spec: {
      containers: [{ name: workload.name, image: template.image }],
      // Istio injects a native sidecar: an init container that never ends.
      ...(revision === undefined ? {} : { initContainers: [renderProxy(revision, template)] }),
      ...(template.hostNetwork ? { hostNetwork: true } : {}),
      nodeName: `node-${pod.serial % 20}`,
    },
    status: renderPodStatus(pod, revision === undefined ? "" : chooseProxyImage(revision, template)),
  };
}

/** The pod's name, as its controller makes it. */
export function namePod({ workload, set, serial, ordinal }: ModelPod): string {
  switch (workload.kind) {
    case "Deployment":
    case "Rollout":
      return `${workload.name}-${set.hash}-${nameSuffix(serial)}`;
    case "StatefulSet":
      return `${workload.name}-${ordinal}`;
    case "DaemonSet":
      return `${workload.name}-${nameSuffix(serial)}`;
  }
}

function labelOfHash({ kind }: ModelWorkload): string {
  if (kind === "Rollout") return "rollouts-pod-template-hash";
  return kind === "Deployment" ? "pod-template-hash" : "controller-revision-hash";
}

function renderOwner({ kind, name, uid }: ModelWorkload, hash: string): object {
  const shared = { apiVersion: "apps/v1", controller: true, blockOwnerDeletion: true };
  return kind === "Deployment" || kind === "Rollout"
    ? { ...shared, kind: "ReplicaSet", name: `${name}-${hash}`, uid: `${uid.slice(0, -hash.length)}${hash}` }
    : { ...shared, kind, name, uid };
}

export function renderInjection(revision: string | undefined): object {
  if (revision === undefined) return {};
  const status = {
    initContainers: ["istio-init", "istio-proxy"],
    containers: null,
    volumes: ["istio-envoy"],
    revision,
  };
  return { "istio.io/rev": revision, "sidecar.istio.io/status": JSON.stringify(status) };
}

/** What the owner wrote goes before the revision's own image: the container of the template, then the annotation. */
function chooseProxyImage(revision: string, { annotations, proxyImage }: Partial<Template>): string {
  const asked = annotations?.["sidecar.istio.io/proxyImage"];
  const written = proxyImage === "auto" ? undefined : proxyImage;
  return written ?? asked ?? `docker.io/istio/proxyv2:${revision.replaceAll("-", ".")}`;
}

export function renderProxy(revision: string, template: Partial<Template> = {}): object {
  return { name: "istio-proxy", image: chooseProxyImage(revision, template), restartPolicy: "Always" };
}
