import type { ApiObject } from "../api-types.ts";
import { readInjectedRevision } from "../objects/project-pod.ts";
import type { RevisionUse } from "./usage.ts";

/** A Deployment's pods belong to its ReplicaSet, whose name ends in the hash that they carry as a label. */
function cutHash(replicaSet: string, hash: string | undefined): string | undefined {
  return hash !== undefined && replicaSet.endsWith(`-${hash}`) ? replicaSet.slice(0, -hash.length - 1) : undefined;
}

/** Who answers for a pod: a Deployment for those of its ReplicaSets, else who controls it, or the pod itself. */
function nameOwner({ metadata = {} }: ApiObject): string {
  const { namespace, name: pod, ownerReferences, labels } = metadata;
  const owner = ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return `${namespace}/Pod/${pod}`;
  const { kind, name = "" } = owner;
  const deployment = kind === "ReplicaSet" ? cutHash(name, labels?.["pod-template-hash"]) : undefined;
  return deployment === undefined ? `${namespace}/${kind}/${name}` : `${namespace}/Deployment/${deployment}`;
}

function count(pods: readonly ApiObject[]): readonly RevisionUse[] {
  const byOwner = new Map<string, number>();
  for (const pod of pods) byOwner.set(nameOwner(pod), (byOwner.get(nameOwner(pod)) ?? 0) + 1);
  return [...byOwner].map(([what, each]) => ({ as: "pods", what, count: each }));
}

function hasEnded({ status = {} }: ApiObject): boolean {
  return status.phase === "Succeeded" || status.phase === "Failed";
}

/** The proxy of a Gateway that istiod deploys by itself is no sidecar: nothing is injected, and an annotation says which istiod made it. */
function readRevision({ metadata = {} }: ApiObject): string | undefined {
  const isGateway = metadata.labels?.["gateway.networking.k8s.io/gateway-name"] !== undefined;
  return readInjectedRevision(metadata) ?? (isGateway ? metadata.annotations?.["istio.io/rev"] : undefined);
}

/** Pods that the revision's istiod injected or deployed, by their owners, whatever those are; one that is ending is still there. */
export function listPods(
  pods: readonly ApiObject[],
  revision: string,
): { readonly live: readonly RevisionUse[]; readonly ended: readonly RevisionUse[] } {
  const injected = pods.filter((pod) => readRevision(pod) === revision);
  return {
    live: count(injected.filter((pod) => !hasEnded(pod))),
    ended: count(injected.filter(hasEnded)),
  };
}
