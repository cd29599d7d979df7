import type { ModelNamespace, StringMap } from "./objects.ts";

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
