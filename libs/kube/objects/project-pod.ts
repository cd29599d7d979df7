import type { Kind } from "#libs/fleet";

import type { ApiMetadata, ApiObject, ApiPodSpec } from "../api-types.ts";
import { nameApiVersion } from "../requests/workload-path.ts";
import { readProxyImage } from "./pods/proxy-image.ts";
import { readTime } from "./read-times.ts";
import { nameOwner, type PodOwner } from "./pods/pod-owner.ts";
import { unknownAge } from "./workload-cell.ts";

/** What is kept of a pod: its workload, its injected revision, whether it is Ready. */
export interface PodFacts {
  readonly namespace: string;
  readonly kind: Kind;
  readonly workload: string;
  /** UID of the workload that made it; undefined where another object is between them, such as a Deployment's ReplicaSet. */
  readonly ownerUid?: string | undefined;
  readonly revision: string | undefined;
  /** Of its sidecar; undefined without one. */
  readonly image: string | undefined;
  /** The pod's owner chose that image, so it does not show what other pods get. */
  readonly isPinned: boolean;
  readonly ready: boolean;
  /** Epoch seconds by the API server's clock; `unknownAge` where the server does not say. */
  readonly made: number;
  /** Hash of the template that it was made from; "" = its controller wrote none. */
  readonly hash: string;
}

/** Undefined for pods that are not counted: without a workload, terminating, or ended. */
export function projectPod({ metadata = {}, spec = {}, status = {} }: ApiObject): PodFacts | undefined {
  if (hasEnded(status) || metadata.deletionTimestamp !== undefined) return undefined;
  const owner = findWorkload(metadata);
  if (owner === undefined || metadata.namespace === undefined) return undefined;
  const ready = (status.conditions ?? []).some(({ type, status: state }) => type === "Ready" && state === "True");
  const revision = readProxyRevision(metadata);
  return {
    namespace: metadata.namespace,
    ...owner,
    revision,
    ...readSidecar(metadata, spec, revision),
    ready,
    made: readMade(metadata),
    hash: readHash(metadata),
  };
}

function readSidecar(
  { annotations = {} }: ApiMetadata,
  spec: ApiPodSpec,
  revision: string | undefined,
): Pick<PodFacts, "image" | "isPinned"> {
  const isPinned = annotations["sidecar.istio.io/proxyImage"] !== undefined;
  return { image: revision === undefined ? undefined : readProxyImage(spec), isPinned };
}

/** Pods of a Deployment's ReplicaSet have the first label, of a Rollout's the second, those of other controllers the third. */
const hashLabels = ["pod-template-hash", "rollouts-pod-template-hash", "controller-revision-hash"] as const;

function readHash({ labels = {} }: ApiMetadata): string {
  const key = hashLabels.find((each) => labels[each] !== undefined);
  return key === undefined ? "" : (labels[key] ?? "");
}

function readMade({ creationTimestamp }: ApiMetadata): number {
  const at = readTime(creationTimestamp);
  return at === undefined ? unknownAge : Math.floor(at / 1000);
}

function hasEnded({ phase }: NonNullable<ApiObject["status"]>): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** The workload that made the pod, by kind and API group: a StatefulSet of another group is no workload of ours. */
function findWorkload(metadata: ApiMetadata): Pick<PodFacts, "kind" | "workload" | "ownerUid"> | undefined {
  const { apiVersion, kind, name, uid } = nameOwner(metadata);
  if (kind === "Rollout" && apiVersion === nameApiVersion(kind)) return { kind, workload: name };
  if (apiVersion !== "apps/v1") return undefined;
  if (kind === "StatefulSet" || kind === "DaemonSet") return { kind, workload: name, ownerUid: uid };
  return kind === "Deployment" ? { kind, workload: name } : undefined;
}

const longestRevision = 256;

/** The revision in the annotations of the injector. The label may name a tag, or a revision that does not exist. */
export function readInjectedRevision({ annotations = {} }: ApiMetadata): string | undefined {
  const status = annotations["sidecar.istio.io/status"];
  if (status === undefined) return undefined;
  // The pod's owner can write both annotations: a text longer than any revision is cut.
  return (readRevision(status) ?? annotations["istio.io/rev"])?.slice(0, longestRevision);
}

function readRevision(status: string): string | undefined {
  try {
    const { revision } = JSON.parse(status) as { readonly revision?: unknown };
    return typeof revision === "string" ? revision : undefined;
  } catch {
    // Not Istio's JSON, though under its name: the other annotation decides.
    return undefined;
  }
}

/** The proxy of a Gateway that istiod deploys is no sidecar. An annotation says which istiod made it. */
function readProxyRevision(metadata: ApiMetadata): string | undefined {
  const isGateway = metadata.labels?.["gateway.networking.k8s.io/gateway-name"] !== undefined;
  return readInjectedRevision(metadata) ?? (isGateway ? metadata.annotations?.["istio.io/rev"] : undefined);
}

/** A pod that is counted by its revision, with any kind of owner. */
export interface ProxyPod {
  readonly namespace: string;
  readonly owner: PodOwner;
  readonly revision: string;
  readonly state: "live" | "completed" | "failed";
}

/** Undefined where no istiod made its proxy. A terminating pod still counts. */
export function projectProxy({ metadata = {}, status = {} }: ApiObject): ProxyPod | undefined {
  const revision = readProxyRevision(metadata);
  if (revision === undefined || metadata.namespace === undefined) return undefined;
  const state = status.phase === "Succeeded" ? "completed" : status.phase === "Failed" ? "failed" : "live";
  return { namespace: metadata.namespace, owner: nameOwner(metadata), revision, state };
}

/** A pod with a proxy that belongs to no workload and is not terminating. */
export function projectOther(object: ApiObject): ProxyPod | undefined {
  const isCounted = object.metadata?.deletionTimestamp !== undefined || projectPod(object) !== undefined;
  return isCounted ? undefined : projectProxy(object);
}
