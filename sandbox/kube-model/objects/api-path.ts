import { lookUp } from "#libs/input";
import type { Resource } from "./objects.ts";

/** Which collection or object a URL path names. */
export interface ApiTarget {
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name?: string;
}

const GROUPS: Readonly<Record<string, readonly Resource[]>> = {
  "api/v1": ["namespaces", "pods", "configmaps"],
  "apis/apps/v1": ["deployments", "statefulsets", "daemonsets"],
  "apis/argoproj.io/v1alpha1": ["rollouts"],
  "apis/networking.istio.io/v1": ["workloadgroups", "workloadentries"],
  "apis/policy/v1": ["poddisruptionbudgets"],
  "apis/admissionregistration.k8s.io/v1": ["mutatingwebhookconfigurations"],
};

const KINDS: Readonly<Record<Resource, readonly [apiVersion: string, kind: string]>> = {
  namespaces: ["v1", "Namespace"],
  pods: ["v1", "Pod"],
  configmaps: ["v1", "ConfigMap"],
  workloadgroups: ["networking.istio.io/v1", "WorkloadGroup"],
  workloadentries: ["networking.istio.io/v1", "WorkloadEntry"],
  deployments: ["apps/v1", "Deployment"],
  statefulsets: ["apps/v1", "StatefulSet"],
  daemonsets: ["apps/v1", "DaemonSet"],
  rollouts: ["argoproj.io/v1alpha1", "Rollout"],
  poddisruptionbudgets: ["policy/v1", "PodDisruptionBudget"],
  mutatingwebhookconfigurations: ["admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration"],
};

/** apiVersion and kind of a collection's objects. */
export function describeResource(resource: Resource): readonly [apiVersion: string, kind: string] {
  return KINDS[resource];
}

/** Undefined: no collection that the model serves. */
export function parsePath(path: string): ApiTarget | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  const group = parts.splice(0, parts[0] === "api" ? 2 : 3).join("/");
  const served = lookUp(GROUPS, group);
  if (served === undefined) return undefined;
  const [first, second, ...rest] = parts;
  if (first === "namespaces" && rest.length > 0 && second !== undefined) return findTarget(served, rest, second);
  return findTarget(served, parts);
}

function findTarget(served: readonly Resource[], parts: readonly string[], namespace?: string): ApiTarget | undefined {
  const [plural, name, ...rest] = parts;
  const resource = served.find((candidate) => candidate === plural);
  if (resource === undefined || rest.length > 0) return undefined;
  return { resource, ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) };
}
