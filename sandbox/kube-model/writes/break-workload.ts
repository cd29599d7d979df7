import type { WorkloadRef } from "#libs/fleet";

import { requestReconcile } from "../controllers/controller.ts";
import { type Breakage, type ModelPod, refOf } from "../objects/objects.ts";
import { breakPod, fixPod } from "../controllers/pods.ts";
import type { State } from "../state/state.ts";

export type BreakOptions = Omit<Breakage, "matches">;

/** Pods that match fail from now on; the answer fixes those that still run. */
export function breakWorkload(
  state: State,
  which: WorkloadRef | ((ref: WorkloadRef) => boolean),
  options: BreakOptions,
): () => void {
  const matches = typeof which === "function" ? which : (ref: WorkloadRef) => isSame(which, ref);
  const breakage: Breakage = { ...options, matches };
  state.breakages.add(breakage);
  for (const pod of allPods(state)) {
    const concerned = breakage.whenRevision === undefined || breakage.whenRevision === pod.revision;
    if (concerned && matches(refOf(pod.workload))) breakPod(state, pod, breakage, requestReconcile);
  }
  return () => {
    state.breakages.delete(breakage);
    for (const pod of allPods(state)) if (pod.brokenBy === breakage) fixPod(state, pod, requestReconcile);
  };
}

function isSame(a: WorkloadRef, b: WorkloadRef): boolean {
  return a.namespace === b.namespace && a.kind === b.kind && a.name === b.name;
}

function allPods(state: State): ModelPod[] {
  return [...state.namespaces.values()].flatMap(({ workloads }) => [...workloads.values()].flatMap(({ pods }) => pods));
}
