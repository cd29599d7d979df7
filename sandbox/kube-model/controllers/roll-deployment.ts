import type { ModelPod, ModelWorkload } from "../objects/objects.ts";
import { createPod, deletePod, type OnPodChange } from "./pods.ts";
import type { State } from "../state/state.ts";

/** One look of the Deployment controller: new pods within maxSurge, old ones away within maxUnavailable. */
export function rollDeployment(state: State, workload: ModelWorkload, changed: OnPodChange): void {
  const { current } = workload;
  if (current === undefined) return;
  scaleDown(state, workload);
  if (workload.settings.recreate === true && endOld(state, workload)) {
    changed(state, workload);
    return;
  }
  let room = workload.replicas + resolveSurge(workload) - workload.pods.length;
  let wanted = workload.replicas - workload.pods.filter((pod) => pod.set === current).length;
  while (room > 0 && wanted > 0 && createPod(state, workload, current, 0, changed)) {
    room--;
    wanted--;
  }
  const old = chooseOld(workload);
  for (const pod of old) deletePod(state, pod);
  // Their places are filled at the next reconcile.
  if (old.length > 0) changed(state, workload);
}

/** Recreate: true while there were old pods, which end all at once. */
function endOld(state: State, { pods, current }: ModelWorkload): boolean {
  const old = pods.filter((pod) => pod.set !== current);
  for (const pod of old) deletePod(state, pod);
  return old.length > 0;
}

/** Fewer replicas asked for than there are new pods: the broken ones go first. */
function scaleDown(state: State, workload: ModelWorkload): void {
  const newest = workload.pods.filter((pod) => pod.set === workload.current);
  const excess = newest.length - workload.replicas;
  if (excess <= 0) return;
  for (const pod of newest.toSorted(compareByReadiness).slice(0, excess)) deletePod(state, pod);
}

/** Old pods that may go now: never so many that fewer than `replicas - maxUnavailable` are left available. */
function chooseOld(workload: ModelWorkload): ModelPod[] {
  const { pods, current, replicas } = workload;
  const least = replicas - resolveUnavailable(workload);
  const old = pods.filter((pod) => pod.set !== current).toSorted(compareByReadiness);
  const broken = old.filter((pod) => pod.state !== "ready");
  const newUnready = pods.filter((pod) => pod.set === current && pod.state !== "ready").length;
  const removable = Math.max(0, pods.length - least - newUnready);
  const available = pods.filter((pod) => pod.state === "ready").length;
  const goBroken = Math.min(broken.length, removable);
  const goReady = Math.max(0, Math.min(old.length - broken.length, available - least, removable - goBroken));
  return [...broken.slice(0, goBroken), ...old.slice(broken.length, broken.length + goReady)];
}

function compareByReadiness(a: ModelPod, b: ModelPod): number {
  return Number(a.state === "ready") - Number(b.state === "ready") || a.serial - b.serial;
}

/** 25 %, rounded up. */
function resolveSurge({ settings, replicas }: ModelWorkload): number {
  return settings.maxSurge ?? Math.ceil(replicas / 4);
}

/** 25 %, rounded down: up to three replicas nothing may be missing. */
function resolveUnavailable({ settings, replicas }: ModelWorkload): number {
  return settings.maxUnavailable ?? Math.floor(replicas / 4);
}
