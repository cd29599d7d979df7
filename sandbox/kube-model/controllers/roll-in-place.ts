import type { ModelPod, ModelWorkload, TemplateSet } from "../objects/objects.ts";
import { createPod, deletePod, type OnPodChange } from "./pods.ts";
import type { State } from "../state/state.ts";

/** One look of the StatefulSet or DaemonSet controller: every place has one pod, and is replaced by deleting first. */
export function rollInPlace(state: State, workload: ModelWorkload, changed: OnPodChange): void {
  for (const pod of workload.pods.filter((candidate) => candidate.ordinal >= workload.replicas)) deletePod(state, pod);
  if (!fillPlaces(state, workload, changed)) return;
  if (workload.kind === "DaemonSet" && (workload.settings.maxSurge ?? 0) > 0) {
    surge(state, workload, changed);
    return;
  }
  const victim = chooseVictim(workload);
  if (victim === undefined) return;
  deletePod(state, victim);
  // The place is filled at the controller's next reconcile, once the old pod is gone.
  changed(state, workload);
}

/** A DaemonSet that surges: on up to so many nodes a new pod starts next to the old one, which ends once the new one is ready. */
function surge(state: State, workload: ModelWorkload, changed: OnPodChange): void {
  const { pods, current, settings } = workload;
  if (current === undefined || settings.onDelete) return;
  const newest = new Map(pods.filter((pod) => pod.set === current).map((pod) => [pod.ordinal, pod]));
  const old = pods.filter((pod) => pod.set !== current);
  const replaced = old.filter((pod) => newest.get(pod.ordinal)?.state === "ready");
  for (const pod of replaced) deletePod(state, pod);
  const left = old.filter((pod) => !replaced.includes(pod));
  let room = (settings.maxSurge ?? 0) - left.filter((pod) => newest.has(pod.ordinal)).length;
  for (const { ordinal } of left.filter((pod) => !newest.has(pod.ordinal))) {
    if (room-- <= 0 || !createPod(state, workload, current, ordinal, changed)) return;
  }
}

/** What was last rolled out everywhere: a place below the partition gets it again. */
function findCompleted({ sets, status }: ModelWorkload): TemplateSet | undefined {
  return sets.find(({ hash }) => hash === status.completed);
}

/** False when admission refused a pod. */
function fillPlaces(state: State, workload: ModelWorkload, changed: OnPodChange): boolean {
  const { current, replicas, pods, settings } = workload;
  if (current === undefined || pods.length >= replicas) return true;
  const taken = new Set(pods.map((pod) => pod.ordinal));
  for (let ordinal = 0; ordinal < replicas; ordinal++) {
    const set = ordinal < settings.partition ? findCompleted(workload) : current;
    if (!taken.has(ordinal) && !createPod(state, workload, set ?? current, ordinal, changed)) return false;
  }
  return true;
}

/** The old pod that goes next: a broken one at once, a healthy one only while enough others are available. */
function chooseVictim(workload: ModelWorkload): ModelPod | undefined {
  const { pods, current, settings } = workload;
  if (settings.onDelete) return undefined;
  const unready = pods.filter((pod) => pod.state !== "ready");
  if (unready.length > 0 && workload.kind === "StatefulSet" && settings.podManagement === "OrderedReady")
    return undefined;
  const isOld = ({ set, ordinal }: ModelPod) => set !== current && ordinal >= settings.partition;
  const old = pods.filter(isOld).toSorted((a, b) => b.ordinal - a.ordinal);
  const broken = old.find((pod) => pod.state !== "ready");
  if (broken !== undefined) return broken;
  return unready.length < (settings.maxUnavailable ?? 1) ? old[0] : undefined;
}
