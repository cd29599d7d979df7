import type { Kind } from "#libs/fleet";

import type { ApiMetadata, ApiObject, ApiPodSpec } from "../api-types.ts";
import { readProxyImage } from "./proxy-image.ts";
import { readTime } from "./read-times.ts";
import { unknownAge } from "./workload-cell.ts";

/** What counts of a pod: whose it is, what was injected, whether it is Ready. */
export interface PodFacts {
  readonly namespace: string;
  readonly kind: Kind;
  readonly workload: string;
  readonly revision: string | undefined;
  /** Of its sidecar; undefined without one. */
  readonly image: string | undefined;
  /** Its owner chose that image: it says nothing of what others get. */
  readonly isPinned: boolean;
  readonly ready: boolean;
  /** Epoch seconds by the API server's clock; `unknownAge` where it does not report. */
  readonly made: number;
  /** Of the template that it was made by; "" = its controller wrote none. */
  readonly hash: string;
}

/** Undefined: a pod that does not count, because no workload made it, or it is ending or has ended. */
export function projectPod({ metadata = {}, spec = {}, status = {} }: ApiObject): PodFacts | undefined {
  const ended = status.phase === "Succeeded" || status.phase === "Failed";
  if (ended || metadata.deletionTimestamp !== undefined) return undefined;
  const owner = findOwner(metadata);
  if (owner === undefined || metadata.namespace === undefined) return undefined;
  const ready = (status.conditions ?? []).some(({ type, status: state }) => type === "Ready" && state === "True");
  const revision = readInjectedRevision(metadata);
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

/** A ReplicaSet's pods have the first label, those of other controllers the second one. */
function readHash({ labels = {} }: ApiMetadata): string {
  return labels["pod-template-hash"] ?? labels["controller-revision-hash"] ?? "";
}

function readMade({ creationTimestamp }: ApiMetadata): number {
  const at = readTime(creationTimestamp);
  return at === undefined ? unknownAge : Math.floor(at / 1000);
}

/** A Deployment's pods belong to its ReplicaSet, whose name ends in the hash that the pods carry as a label. */
function findOwner({
  ownerReferences = [],
  labels = {},
}: ApiMetadata): Pick<PodFacts, "kind" | "workload"> | undefined {
  const { kind, name = "" } = ownerReferences.find(({ controller }) => controller === true) ?? {};
  if (kind === "StatefulSet" || kind === "DaemonSet") return { kind, workload: name };
  const hash = labels["pod-template-hash"];
  // Without the label it is a bare ReplicaSet, or an Argo Rollout's.
  if (kind !== "ReplicaSet" || hash === undefined || !name.endsWith(`-${hash}`)) return undefined;
  return { kind: "Deployment", workload: name.slice(0, -hash.length - 1) };
}

const longestRevision = 256;

/** The annotations tell the truth, not the label: a label may name a tag, or nothing that exists. */
export function readInjectedRevision({ annotations = {} }: ApiMetadata): string | undefined {
  const status = annotations["sidecar.istio.io/status"];
  if (status === undefined) return undefined;
  // Its owner writes both: what is longer than any revision is none, and a part of it says so as well.
  return (readRevision(status) ?? annotations["istio.io/rev"])?.slice(0, longestRevision);
}

function readRevision(status: string): string | undefined {
  try {
    const { revision } = JSON.parse(status) as { readonly revision?: unknown };
    return typeof revision === "string" ? revision : undefined;
  } catch {
    // Another program's text under Istio's name: the other annotation decides.
    return undefined;
  }
}
