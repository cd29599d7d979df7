import { admitPod } from "../controllers/admission.ts";
import type { LoosePod, PodOwner, PodPhase } from "../objects/loose-pod.ts";
import type { StringMap } from "../objects/objects.ts";
import { publish, type State } from "../state/state.ts";
import { ensureNamespace } from "./add.ts";
import { findNamespace } from "./remove.ts";

/** A pod that no workload of the model makes; the webhooks inject it as any, unless it carries a sidecar's annotation already. */
export interface PodOptions {
  readonly ns: string;
  readonly name: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  /** Who controls it; absent = it is a bare pod. */
  readonly owner?: PodOwner;
  /** Default "Running". */
  readonly phase?: PodPhase;
}

export function addPod(state: State, options: PodOptions): void {
  const { ns, name, labels = {}, annotations = {}, owner, phase = "Running" } = options;
  const namespace = ensureNamespace(state, ns);
  if (namespace.loosePods.has(name)) throw new Error(`pod ${ns}/${name} is there already`);
  const isInjected = "sidecar.istio.io/status" in annotations;
  const template = { labels, annotations, hostNetwork: false, image: "" };
  const admission = isInjected ? undefined : admitPod(state, namespace, template);
  if (admission?.kind === "refused") throw new Error(`pod ${ns}/${name}: ${admission.why}`);
  const pod: LoosePod = {
    resource: "pods",
    name,
    uid: state.uid(),
    createdAt: state.clock.now(),
    namespace,
    labels,
    annotations,
    // The API server refuses a reference without a UID.
    owner: owner === undefined ? undefined : { uid: state.uid(), ...owner },
    revision: admission?.kind === "injected" ? admission.revision : undefined,
    phase,
    rv: 0,
    deleted: false,
  };
  namespace.loosePods.set(name, pod);
  publish(state, "ADDED", pod);
}

function findPod(state: State, ns: string, name: string): LoosePod {
  const pod = findNamespace(state, ns).loosePods.get(name);
  if (pod === undefined) throw new Error(`there is no pod ${ns}/${name} of addPod`);
  return pod;
}

/** As a kubelet does with a pod whose containers ended. */
export function endPod(state: State, ns: string, name: string, phase: "Succeeded" | "Failed"): void {
  const pod = findPod(state, ns, name);
  pod.phase = phase;
  publish(state, "MODIFIED", pod);
}

export function deleteLoosePod(state: State, ns: string, name: string): void {
  const pod = findPod(state, ns, name);
  pod.namespace.loosePods.delete(name);
  publish(state, "DELETED", pod);
}
