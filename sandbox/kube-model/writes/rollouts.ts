import type { WorkloadRef } from "#libs/fleet";

import { requestReconcile } from "../controllers/controller.ts";
import { findWorkload, removeWorkload } from "./remove.ts";
import type { State } from "../state/state.ts";

function findArgo(state: State, ref: WorkloadRef) {
  const workload = findWorkload(state, ref);
  if (workload.argo === undefined) throw new Error(`${ref.namespace}/${ref.kind}/${ref.name} is no Rollout`);
  return { workload, argo: workload.argo };
}

/** As `kubectl argo rollouts promote`: the pause in which it is ends. */
export function promoteRollout(state: State, ref: WorkloadRef): void {
  const { workload, argo } = findArgo(state, ref);
  if (argo.pausedAt === undefined) throw new Error(`${ref.name} is not paused`);
  argo.pausedAt = undefined;
  argo.step++;
  requestReconcile(state, workload);
}

/** As `kubectl argo rollouts abort`, and as a failed analysis: back to the stable pods, with the new template on the object. */
export function abortRollout(state: State, ref: WorkloadRef): void {
  const { workload, argo } = findArgo(state, ref);
  argo.aborted = true;
  argo.pausedAt = undefined;
  requestReconcile(state, workload);
}

/** Installs Argo's definition of Rollouts, or removes it with all of them. */
export function serveRollouts(state: State, isServed: boolean): void {
  state.servesRollouts = isServed;
  if (isServed) return;
  for (const { name: namespace, workloads } of state.namespaces.values())
    for (const { kind, name } of workloads.values())
      if (kind === "Rollout") removeWorkload(state, { namespace, kind, name });
}
