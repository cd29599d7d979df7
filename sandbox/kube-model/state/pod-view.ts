import type { ModelWorkload } from "../objects/objects.ts";
import { namePod } from "../render/render-pod.ts";

/** A pod as tests and the auditor look at it. */
export interface PodView {
  readonly name: string;
  /** The injected revision; absent without a sidecar. */
  readonly revision?: string;
  /** Of its ReplicaSet or ControllerRevision. */
  readonly hash: string;
  readonly ready: boolean;
}

export function describePods(workload: ModelWorkload): readonly PodView[] {
  return workload.pods.map((pod) => ({
    name: namePod(pod),
    ...(pod.revision === undefined ? {} : { revision: pod.revision }),
    hash: pod.set.hash,
    ready: pod.state === "ready",
  }));
}
