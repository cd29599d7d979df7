import { admitPod } from "../controllers/admission.ts";
import type { LoosePod, ModelNamespace, PodOwner, PodPhase, StringMap } from "../objects/objects.ts";
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

/** What is injected into it on its way in. */
function admit(state: State, namespace: ModelNamespace, options: PodOptions): string | undefined {
  const { labels = {}, annotations = {}, name } = options;
  if ("sidecar.istio.io/status" in annotations) return undefined;
  const admission = admitPod(state, namespace, { labels, annotations, hostNetwork: false, image: "" });
  if (admission.kind === "refused") throw new Error(`pod ${namespace.name}/${name}: ${admission.why}`);
  return admission.kind === "injected" ? admission.revision : undefined;
}

export function addPod(state: State, options: PodOptions): void {
  const { ns, name, labels = {}, annotations = {}, owner, phase = "Running" } = options;
  const namespace = ensureNamespace(state, ns);
  if (namespace.loosePods.has(name)) throw new Error(`pod ${ns}/${name} is there already`);
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
    revision: admit(state, namespace, options),
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
