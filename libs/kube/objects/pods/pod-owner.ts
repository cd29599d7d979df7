import type { ApiMetadata } from "../../api-types.ts";

/** The object that a pod is listed under. */
export interface PodOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined where another object, such as a ReplicaSet, is between the two. */
  readonly uid?: string;
}

/** A ReplicaSet's name ends in the hash that its pods carry as a label. */
function cutHash(replicaSet: string, hash: string | undefined): string | undefined {
  return hash !== undefined && replicaSet.endsWith(`-${hash}`) ? replicaSet.slice(0, -hash.length - 1) : undefined;
}

/** Who made a ReplicaSet, by the label of its pods: a Deployment, an Argo Rollout, or nothing of the kind. */
function nameReplicaSet(name: string, labels: NonNullable<ApiMetadata["labels"]>): PodOwner {
  const deployment = cutHash(name, labels["pod-template-hash"]);
  if (deployment !== undefined) return { apiVersion: "apps/v1", kind: "Deployment", name: deployment };
  const rollout = cutHash(name, labels["rollouts-pod-template-hash"]);
  if (rollout !== undefined) return { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", name: rollout };
  return { apiVersion: "apps/v1", kind: "ReplicaSet", name };
}

type Controller = NonNullable<ApiMetadata["ownerReferences"]>[number];

/** The API server refuses an owner reference without an API version, but stored answers of other servers may lack it. */
function nameController({ apiVersion = "apps/v1", kind = "", name = "", uid }: Controller): PodOwner {
  return { apiVersion, kind, name, ...(uid === undefined ? {} : { uid }) };
}

/** The object that controls the pod, a Deployment or Rollout for those of its ReplicaSets, else the pod itself. */
export function nameOwner({ name: pod = "", ownerReferences = [], labels = {} }: ApiMetadata): PodOwner {
  const reference = ownerReferences.find(({ controller }) => controller === true);
  if (reference === undefined) return { apiVersion: "v1", kind: "Pod", name: pod };
  const owner = nameController(reference);
  const isReplicaSet = owner.kind === "ReplicaSet" && owner.apiVersion === "apps/v1";
  return isReplicaSet ? nameReplicaSet(owner.name, labels) : owner;
}
