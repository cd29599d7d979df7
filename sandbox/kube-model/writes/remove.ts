import type { WorkloadRef } from "#libs/fleet";

import { refreshBudgets } from "../controllers/budgets.ts";
import { requestReconcile } from "../controllers/controller.ts";
import type { ModelNamespace, ModelObject, ModelWorkload } from "../objects/objects.ts";
import { deletePod } from "../controllers/pods.ts";
import { publish, type State } from "../state/state.ts";

/** The workload; a name that is not there is an error of the test. */
export function findWorkload(state: State, { namespace, kind, name }: WorkloadRef): ModelWorkload {
  const workload = state.namespaces.get(namespace)?.workloads.get(`${kind}/${name}`);
  if (workload === undefined) throw new Error(`there is no ${namespace}/${kind}/${name}`);
  return workload;
}

export function findNamespace(state: State, name: string): ModelNamespace {
  const namespace = state.namespaces.get(name);
  if (namespace === undefined) throw new Error(`there is no namespace ${name}`);
  return namespace;
}

/** Deletes the workload and its pods. */
export function removeWorkload(state: State, ref: WorkloadRef): void {
  const workload = findWorkload(state, ref);
  workload.wake?.();
  workload.deadline?.();
  workload.namespace.workloads.delete(`${ref.kind}/${ref.name}`);
  publish(state, "DELETED", workload);
  for (const pod of workload.pods.slice()) deletePod(state, pod);
  refreshBudgets(state, workload.namespace);
}

/** Deletes the namespace with all that is in it. */
export function removeNamespace(state: State, name: string): void {
  const namespace = findNamespace(state, name);
  for (const { kind, name: own } of namespace.workloads.values())
    removeWorkload(state, { namespace: name, kind, name: own });
  const { budgets, configMaps, loosePods, vmGroups, vmEntries } = namespace;
  const others = [budgets, configMaps, loosePods, vmGroups, vmEntries].flatMap((map): ModelObject[] => [
    ...map.values(),
  ]);
  for (const object of others) publish(state, "DELETED", object);
  state.namespaces.delete(name);
  publish(state, "DELETED", namespace);
}

/** `kubectl delete pod` for all of a workload: how an OnDelete workload gets its new template. */
export function removePods(state: State, ref: WorkloadRef): void {
  const workload = findWorkload(state, ref);
  for (const pod of workload.pods.slice()) deletePod(state, pod);
  requestReconcile(state, workload);
}
